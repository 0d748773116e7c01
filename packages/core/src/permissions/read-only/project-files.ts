import path from 'node:path';
import { entryStatus, isPipeOrDevice } from '../paths/file-status.ts';
import { realPath } from '../paths/resolve-path.ts';
import { readText } from './git-place.ts';
import { refuse } from './refusal.ts';
import type { JudgementScope } from './scope.ts';

/** A project file by which a launcher selects a version, and the contents that are safe. */
interface SteeringFile {
  readonly name: string;
  /** Programs whose launchers read it; undefined for version managers, which may wrap any program. */
  readonly programs?: ReadonlySet<string>;
  readonly harmless?: RegExp;
}

const launchers = (...names: readonly string[]) => new Set(names);
/** Only version names, no path or URL. */
const PLAIN_VERSIONS = /^(?:[\w.+\s-]|#[^\n]*)*$/;

const STEERING_FILES: readonly SteeringFile[] = [
  { name: '.tool-versions', harmless: PLAIN_VERSIONS },
  { name: '.python-version', harmless: PLAIN_VERSIONS },
  { name: '.ruby-version', harmless: PLAIN_VERSIONS },
  { name: '.node-version', harmless: PLAIN_VERSIONS },
  { name: '.java-version', harmless: PLAIN_VERSIONS },
  { name: 'rust-toolchain', programs: launchers('cargo', 'rustc') },
  { name: 'rust-toolchain.toml', programs: launchers('cargo', 'rustc') },
  { name: '.yarnrc', programs: launchers('yarn') },
  { name: '.yarnrc.yml', programs: launchers('yarn') },
  {
    name: 'package.json',
    programs: launchers('yarn', 'pnpm'),
    harmless: /^(?![\s\S]*(?:packageManager|devEngines|\\u))/,
  },
];

/**
 * Even `yarn --version` runs what the project selects: launchers search the parent directories for a version to start.
 * Refuses when such a file lies in the project.
 */
export function checkVersionFiles(program: string, scope: JudgementScope): void {
  const files = STEERING_FILES.filter(({ programs }) => programs?.has(program) !== false);
  for (const folder of scope.directories.flatMap((directory) => foldersAbove(directory, scope))) {
    const found = files.find((file) => steers(path.join(folder, file.name), file));
    if (found !== undefined) refuse(`${found.name} says what ${program} starts`);
  }
}

/** Project files that search programs and git read implicitly. */
const READ_IMPLICITLY = [
  '.gitignore',
  '.ignore',
  '.rgignore',
  '.fdignore',
  '.gitattributes',
  '.gitmodules',
  '.mailmap',
];

/**
 * Refuses when such a file is a pipe or a device, or a link to one or out of the project: the program would block, or
 * print lines that it cannot parse. In subdirectories a timeout ends the blocking.
 */
export function checkImplicitFiles(program: string, scope: JudgementScope): void {
  for (const folder of scope.directories.flatMap((directory) => foldersAbove(directory, scope))) {
    const found = READ_IMPLICITLY.find((name) => !isPlainFile(path.join(folder, name), scope));
    if (found !== undefined) refuse(`${program} would read ${found}, which is no plain file`);
  }
}

function isPlainFile(file: string, { policy }: JudgementScope): boolean {
  const status = entryStatus(file);
  if (status?.isSymbolicLink() !== true) return status === undefined || !isPipeOrDevice(status);
  const real = realPath(file);
  const target = entryStatus(real);
  return (
    policy.mayRead({ literal: file, real }) && (target === undefined || !isPipeOrDevice(target))
  );
}

function steers(file: string, { harmless }: SteeringFile): boolean {
  return entryStatus(file) !== undefined && harmless?.test(readText(file) ?? '\0') !== true;
}

/** The directory and its parents within the project. */
function foldersAbove(directory: string, { policy }: JudgementScope): readonly string[] {
  const folders: string[] = [];
  for (let here = directory; policy.mayRead({ literal: here, real: realPath(here) }); ) {
    folders.push(here);
    if (path.dirname(here) === here) break;
    here = path.dirname(here);
  }
  return folders;
}
