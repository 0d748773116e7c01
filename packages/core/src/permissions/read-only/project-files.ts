import path from 'node:path';
import { entryStatus, isEndless } from '../paths/file-status.ts';
import { realPath } from '../paths/resolve-path.ts';
import { readText } from './git-place.ts';
import { refuse } from './refusal.ts';
import type { JudgementScope } from './scope.ts';

/** A file of a project by which a launcher chooses what it starts, and the text that chooses nothing strange. */
interface SteeringFile {
  readonly name: string;
  /** Programs whose launchers read it; undefined: version managers stand in for any program. */
  readonly programs?: ReadonlySet<string>;
  readonly harmless?: RegExp;
}

const managers = (...names: readonly string[]) => new Set(names);
/** No path and no address: a version by its name. */
const PLAIN_VERSIONS = /^(?:[\w.+\s-]|#[^\n]*)*$/;

const STEERING_FILES: readonly SteeringFile[] = [
  { name: '.tool-versions', harmless: PLAIN_VERSIONS },
  { name: '.python-version', harmless: PLAIN_VERSIONS },
  { name: '.ruby-version', harmless: PLAIN_VERSIONS },
  { name: '.node-version', harmless: PLAIN_VERSIONS },
  { name: '.java-version', harmless: PLAIN_VERSIONS },
  { name: 'rust-toolchain', programs: managers('cargo', 'rustc') },
  { name: 'rust-toolchain.toml', programs: managers('cargo', 'rustc') },
  { name: '.yarnrc', programs: managers('yarn') },
  { name: '.yarnrc.yml', programs: managers('yarn') },
  {
    name: 'package.json',
    programs: managers('yarn', 'pnpm'),
    harmless: /^(?![\s\S]*(?:packageManager|devEngines|\\u))/,
  },
];

/**
 * Even `yarn --version` runs what the project names: launchers look for a version of themselves in the directories
 * above. Refuses where such a file lies in the project.
 */
export function checkVersionFiles(program: string, scope: JudgementScope): void {
  const files = STEERING_FILES.filter(({ programs }) => programs?.has(program) !== false);
  for (const folder of scope.directories.flatMap((directory) => foldersAbove(directory, scope))) {
    const found = files.find((file) => steers(path.join(folder, file.name), file));
    if (found !== undefined) refuse(`${found.name} says what ${program} starts`);
  }
}

/** Files of a project that searching programs and git read by themselves. */
const READ_UNASKED = [
  '.gitignore',
  '.ignore',
  '.rgignore',
  '.fdignore',
  '.gitattributes',
  '.gitmodules',
];

/** Refuses where such a file is a pipe or a device: the program would wait for it. Deeper down a timeout ends that. */
export function checkUnaskedFiles(program: string, scope: JudgementScope): void {
  for (const folder of scope.directories.flatMap((directory) => foldersAbove(directory, scope))) {
    const found = READ_UNASKED.find((name) => {
      const status = entryStatus(path.join(folder, name));
      return status !== undefined && isEndless(status);
    });
    if (found !== undefined) refuse(`${program} would wait for ${found}, which is no file`);
  }
}

function steers(file: string, { harmless }: SteeringFile): boolean {
  return entryStatus(file) !== undefined && harmless?.test(readText(file) ?? '\0') !== true;
}

/** The directory and those above it, as far as they belong to the project. */
function foldersAbove(directory: string, { policy }: JudgementScope): readonly string[] {
  const folders: string[] = [];
  for (let here = directory; policy.mayRead({ literal: here, real: realPath(here) }); ) {
    folders.push(here);
    if (path.dirname(here) === here) break;
    here = path.dirname(here);
  }
  return folders;
}
