import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { userPaths, within } from '../paths.ts';
import { namesField, parseFrontmatter } from '../skills/frontmatter.ts';
import { extractCompactInstructions } from './compact-instructions.ts';
import { findRules } from './find-rules.ts';
import { type ImportBounds, readInstructionFile } from './instruction-imports.ts';
import { detectProject, type ProjectKind } from './project-kind.ts';

/** Instructions and facts about the project; may also be given in code. */
export interface ProjectContext {
  readonly agentsMd?: string;
  readonly claudeMd?: string;
  readonly compactInstructions?: string;
  readonly project?: ProjectKind;
  /** The instruction files read, in the order of their text. */
  readonly files?: readonly string[];
  /** Files that were left out, and why. */
  readonly notices?: readonly string[];
}

export interface LoadContextOptions {
  readonly cwd: string;
  /** A trusted workspace may import files from anywhere. */
  readonly trusted: boolean;
}

/**
 * Collects AGENTS.md, CLAUDE.md, CLAUDE.local.md, `.claude/CLAUDE.md` and `.claude/rules` from the root down to
 * `cwd`, plus the user's own of the last two and `~/.robota/AGENTS.md`. Without trust, imports of a project file may
 * not leave its directory.
 */
export function loadContext({ cwd, trusted }: LoadContextOptions): ProjectContext {
  const notices: string[] = [];
  const files: string[] = [];
  const directories = fromRootTo(realpathSync(cwd));
  const read = (file: string, root?: string): string[] => {
    const bounds: ImportBounds = {
      root: trusted ? undefined : root,
      onNotice: (notice) => notices.push(notice),
    };
    const text = readInstructionFile(file, bounds)?.trim();
    if (!text) return [];
    files.push(file);
    return [text];
  };
  const readRules = (claudeFolder: string, root?: string): string[] =>
    findRules(within(claudeFolder, 'rules')).flatMap((file) =>
      read(file, root).map((text) => describeRule(text, file)),
    );
  const agentsMd = [
    ...read(userPaths().agentsMd),
    ...directories.flatMap((directory) => read(within(directory, 'AGENTS.md'), directory)),
  ];
  const own = userPaths().claudeMd;
  const claudeMd = [
    ...read(own),
    ...readRules(dirname(own)),
    ...directories.flatMap((directory) => {
      const claude = within(directory, '.claude');
      const files = [
        within(directory, 'CLAUDE.md'),
        within(claude, 'CLAUDE.md'),
        within(directory, 'CLAUDE.local.md'),
      ];
      return [
        ...files.filter((file) => file !== own).flatMap((file) => read(file, directory)),
        ...(claude === dirname(own) ? [] : readRules(claude, directory)),
      ];
    }),
  ].join('\n\n');
  const compactInstructions = extractCompactInstructions(claudeMd);
  return {
    agentsMd: agentsMd.join('\n\n'),
    claudeMd,
    ...(compactInstructions && { compactInstructions }),
    project: detectProject(cwd),
    files,
    notices,
  };
}

/** A rule may apply only to files named in its frontmatter. */
function describeRule(text: string, file: string): string {
  try {
    const { fields, body } = parseFrontmatter(text, file);
    const paths = namesField(fields, 'paths') ?? [];
    return paths.length === 0 ? body : `For files that match ${paths.join(', ')}:\n${body}`;
  } catch {
    return text; // Frontmatter that is no YAML is text like the rest.
  }
}

function fromRootTo(directory: string): string[] {
  const parent = dirname(directory);
  return parent === directory ? [directory] : [...fromRootTo(parent), directory];
}
