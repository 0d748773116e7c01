import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readSettingsText } from '../config/read-settings-text.ts';
import { homeDirectory, projectPaths, userPaths } from '../paths.ts';
import { firstOfEachName } from '../subagents/agent-definition-loader.ts';
import { parseSkill } from './parse-skill.ts';
import type { Skill } from './skill.ts';

export interface FoundSkills {
  /** Unique by name; the first location wins. */
  readonly skills: readonly Skill[];
  /** Files that could not be read, and why. */
  readonly problems: readonly string[];
}

/** A location of skills: folders with a SKILL.md, or Markdown files. */
export interface SkillPlace {
  readonly folder: string;
  readonly form: 'folders' | 'files';
  readonly scope: Skill['scope'];
  /** Links may not leave this directory, or a project could send any of the user's files to the model. */
  readonly root?: string | undefined;
}

/** Skill locations for a directory, highest priority first; the last two are the user's Claude Code folders. */
export function skillPlaces(cwd: string, home = homeDirectory()): SkillPlace[] {
  const project = projectPaths(cwd);
  const user = userPaths();
  const isHome = home === homeDirectory();
  const claude = join(home, '.claude');
  return [
    { folder: project.claudeSkills, form: 'folders', scope: 'project', root: cwd },
    { folder: project.claudeCommands, form: 'files', scope: 'project', root: cwd },
    {
      folder: isHome ? user.skills : join(home, '.robota', 'skills'),
      form: 'folders',
      scope: 'user',
    },
    { folder: project.agentsSkills, form: 'folders', scope: 'project', root: cwd },
    { folder: join(claude, 'skills'), form: 'folders', scope: 'user' },
    { folder: join(claude, 'commands'), form: 'files', scope: 'user' },
  ];
}

/** Reads every location; a file that cannot be read is skipped and reported in `problems`. */
export function findSkills(places: readonly SkillPlace[]): FoundSkills {
  const problems: string[] = [];
  const found = places.flatMap((place) => skillsIn(place, problems));
  return { skills: firstOfEachName(found), problems };
}

export function skillsIn({ folder, form, scope, root }: SkillPlace, problems: string[]): Skill[] {
  const files = form === 'folders' ? skillFolders(folder) : commandFiles(folder);
  return files.flatMap(({ file, fallbackName }) => {
    const text = readSettingsText(file, { root });
    if (text === null) return [];
    try {
      if (typeof text !== 'string') throw new Error(`Cannot read ${file}: it ${text.problem}`);
      return [parseSkill(text, { file, fallbackName, scope })];
    } catch (error) {
      problems.push((error as Error).message);
      return [];
    }
  });
}

interface Candidate {
  readonly file: string;
  readonly fallbackName: string;
}

function skillFolders(folder: string): Candidate[] {
  return namesIn(folder).map((name) => ({
    file: join(folder, name, 'SKILL.md'),
    fallbackName: name,
  }));
}

/** Commands may be in subfolders, which are not part of their names. */
function commandFiles(folder: string, depth = 0): Candidate[] {
  return namesIn(folder).flatMap((name) => {
    const file = join(folder, name);
    if (name.endsWith('.md')) return [{ file, fallbackName: basename(name, '.md') }];
    return depth < 3 && !name.includes('.') ? commandFiles(file, depth + 1) : [];
  });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new Error(`Cannot list skills in ${folder}`, { cause: error });
  }
}
