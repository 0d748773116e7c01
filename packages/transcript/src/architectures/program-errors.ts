import type { ProcessExit } from '../process/agent-process.ts';
import { ConnectionLostError } from '../process/json-rpc.ts';
import { describeExit } from './turn-outcome.ts';

/** What is needed to run a program and to explain how to install it. */
export interface ProgramFacts {
  /** `Claude Code`. */
  readonly title: string;
  readonly command: string;
  readonly npmPackage: string;
  /** The oldest version our tests run. */
  readonly oldest: string;
  /** The newest version our tests run. */
  readonly tested: string;
}

/** The program is not installed. */
export class ProgramMissingError extends Error {
  override readonly name = 'ProgramMissingError';
  readonly code = 'program_missing';

  constructor(
    facts: ProgramFacts,
    { command, cause }: { readonly command: string; readonly cause: unknown },
  ) {
    super(`Cannot start ${facts.title}: there is no program "${command}". ${howToInstall(facts)}`, {
      cause,
    });
  }
}

/** The installed version of the program is not supported. */
export class ProgramVersionError extends Error {
  override readonly name = 'ProgramVersionError';
  readonly code = 'program_version';

  constructor(facts: ProgramFacts, said: string) {
    super(
      `Cannot use ${facts.title}: its version is ${said}, and ${facts.oldest} or newer is needed. ` +
        howToInstall(facts),
    );
  }
}

/** The program exited before it accepted a query. */
export class ProgramFailedError extends Error {
  override readonly name = 'ProgramFailedError';
  readonly code = 'program_failed';
}

/** Turns a lost connection into the error of a program that failed to start. */
export function toStartError(facts: ProgramFacts, error: unknown): unknown {
  return error instanceof ConnectionLostError ? exitedEarly(facts, error.exit) : error;
}

/** The error of a program that exited before it accepted a message; mentions a version newer than the tested ones. */
export function exitedEarly(
  facts: ProgramFacts,
  exit: ProcessExit,
  version?: string,
): ProgramFailedError {
  const isUntested = version !== undefined && compareVersions(version, facts.tested) > 0;
  const hint = isUntested
    ? `. Its version ${version} is newer than ${facts.tested}, the newest tested version`
    : '';
  return new ProgramFailedError(
    `${facts.title} ${describeExit(exit)} before it took the message${hint}`,
  );
}

/** Extracts the version from the text; throws if it is too old. */
export function assertVersion(facts: ProgramFacts, text: string): string {
  const found = /(\d+)\.(\d+)\.(\d+)/.exec(text);
  if (found === null) throw new ProgramVersionError(facts, `not known ("${text.slice(0, 80)}")`);
  if (compareVersions(found[0], facts.oldest) < 0) throw new ProgramVersionError(facts, found[0]);
  return found[0];
}

function compareVersions(one: string, other: string): number {
  const others = other.split('.').map(Number);
  const differences = one.split('.').map((part, index) => Number(part) - (others[index] ?? 0));
  return differences.find((difference) => difference !== 0) ?? 0;
}

function howToInstall({ npmPackage, tested }: ProgramFacts): string {
  return (
    `Install it with "npm install -g ${npmPackage}" (${tested} is tested), ` +
    'or give the path of the program.'
  );
}
