import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readSettingsText } from '../config/read-settings-text.ts';
import { projectPaths, userPaths } from '../paths.ts';
import type { AgentDefinition } from './agent-definition.ts';
import { BUILTIN_AGENTS } from './builtin-agents.ts';
import { parseAgent } from './parse-agent.ts';

export interface LoadedAgents {
  /** Unique by name: the first found wins, built-in ones come last. */
  readonly agents: readonly AgentDefinition[];
  /** Files that could not be read, and why. */
  readonly problems: readonly string[];
}

/** Loads the custom agents of projects and users, and adds the built-in ones. */
export class AgentDefinitionLoader {
  readonly #folders: readonly AgentFolder[];

  constructor(folders: readonly (string | AgentFolder)[]) {
    this.#folders = folders.map((folder) => (typeof folder === 'string' ? { folder } : folder));
  }

  static forDirectory(cwd: string): AgentDefinitionLoader {
    const project = projectPaths(cwd);
    const user = userPaths();
    return new AgentDefinitionLoader([
      { folder: project.agents, root: cwd },
      { folder: join(cwd, '.agents', 'agents'), root: cwd },
      { folder: project.claudeAgents, root: cwd },
      user.agents,
      user.claudeAgents,
    ]);
  }

  /** `more` comes after the files and before the built-in agents. */
  load(more: readonly AgentDefinition[] = []): LoadedAgents {
    const problems: string[] = [];
    const found = this.#folders.flatMap((folder) => readFolder(folder, problems));
    return { agents: firstOfEachName([...found, ...more, ...BUILTIN_AGENTS]), problems };
  }
}

/** A folder of agents; links may not leave `root`. */
export interface AgentFolder {
  readonly folder: string;
  readonly root?: string | undefined;
}

/** The agents of one folder, by file name. */
export function readFolder({ folder, root }: AgentFolder, problems: string[]): AgentDefinition[] {
  return markdownFiles(folder).flatMap((name) => {
    const file = join(folder, name);
    const text = readSettingsText(file, { root });
    if (text === null) return [];
    try {
      if (typeof text !== 'string') throw new Error(`Cannot read ${file}: it ${text.problem}`);
      return [parseAgent(text, file, basename(name, '.md'))];
    } catch (error) {
      problems.push((error as Error).message);
      return [];
    }
  });
}

export function firstOfEachName<Named extends { readonly name: string }>(
  all: readonly Named[],
): Named[] {
  const byName = new Map<string, Named>();
  for (const each of all) if (!byName.has(each.name)) byName.set(each.name, each);
  return [...byName.values()];
}

function markdownFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.md'))
      .sort();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw new Error(`Cannot list agents in ${folder}`, { cause: error });
  }
}
