import { randomUUID } from 'node:crypto';
import { realpathSync } from 'node:fs';
import { mkdir, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { userPaths } from '../paths.ts';
import type { JsonFields } from './edit-settings.ts';
import { readSettingsText } from './read-settings-text.ts';
import { SettingsError } from './settings-error.ts';

/** A decision given in code, or a callback that is asked when something in the workspace needs trust. */
export type WorkspaceTrust = boolean | ((directory: string) => Promise<boolean> | boolean);

/** Whether the user trusts this directory or one of its parents. */
export async function isDirectoryTrusted(directory: string): Promise<boolean> {
  if (process.env.ROBOTA_TRUST_WORKSPACE === '1') return true;
  const { trusted } = readTrustFile();
  return withParents(realPathOf(directory)).some((path) => isEntry(trusted, path));
}

/** A directory that the user trusts, including everything below it. */
export interface TrustedDirectory {
  readonly path: string;
  /** ISO 8601. */
  readonly since: string;
}

/** Every directory that the user trusts. */
export async function listTrustedDirectories(): Promise<TrustedDirectory[]> {
  const { trusted } = readTrustFile();
  return Object.entries(trusted).flatMap(([path, since]) =>
    typeof since === 'string' ? [{ path, since }] : [],
  );
}

/** Why the file of trusted directories is not used, as a sentence; no directory is trusted then. */
export function trustProblem(): string | undefined {
  const { problem } = readTrustFile();
  return problem && `${userPaths().trust} ${problem}.`;
}

/** Stores that the user trusts a directory and everything below it. A damaged file is kept beside the new one. */
export async function trustDirectory(directory: string, now = new Date()): Promise<void> {
  const before = readTrustFile();
  const trusted = { ...before.trusted, [realPathOf(directory)]: now.toISOString() };
  if (before.problem !== undefined) await keepDamaged(userPaths().trust, before.problem);
  await writeTrustFile({ ...before.fields, trusted });
}

/** Revokes trust; a trusted parent still applies. False when the directory itself was not trusted. */
export async function distrustDirectory(directory: string): Promise<boolean> {
  const { trusted, fields } = readTrustFile();
  if (!Object.hasOwn(trusted, directory)) return false;
  const { [directory]: _taken, ...rest } = trusted;
  await writeTrustFile({ ...fields, trusted: rest });
  return true;
}

async function writeTrustFile(fields: JsonFields): Promise<void> {
  const file = userPaths().trust;
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const target = await realpath(file).catch(() => file);
  const temporary = `${target}.${randomUUID()}.tmp`;
  const text = `${JSON.stringify({ version: 1, ...fields }, null, 2)}\n`;
  await writeFile(temporary, text, { mode: 0o600, flush: true });
  await rename(temporary, target);
}

/** A file that cannot be read now may be whole, and stays. */
async function keepDamaged(file: string, problem: string): Promise<void> {
  if (problem.startsWith('cannot be read')) throw new SettingsError(problem, { file });
  await rename(file, `${file}.damaged-${randomUUID()}`);
}

/** Resolves the option of a session; a callback is asked only when file and environment do not grant trust. */
export async function resolveTrust(
  directory: string,
  option: WorkspaceTrust | undefined,
): Promise<boolean> {
  if (typeof option === 'boolean') return option;
  if (await isDirectoryTrusted(directory)) return true;
  return option ? option(directory) : false;
}

interface TrustFile {
  /** By path; only a text, the time since when, counts. */
  readonly trusted: JsonFields;
  /** Everything in the file, as written. */
  readonly fields: JsonFields;
  readonly problem?: string | undefined;
}

const NOTHING: TrustFile = { trusted: {}, fields: {} };

/** Synchronously, because a start would wait longer for the threads that read asynchronously. */
function readTrustFile(): TrustFile {
  const written = readSettingsText(userPaths().trust);
  if (written === null) return NOTHING;
  if (typeof written !== 'string') return { ...NOTHING, problem: written.problem };
  const fields = parseObject(written);
  if (fields === undefined) return { ...NOTHING, problem: 'is not a JSON object' };
  const { trusted = {} } = fields;
  if (!isObject(trusted)) return { ...NOTHING, problem: 'lists no directories in "trusted"' };
  return { trusted, fields };
}

function parseObject(text: string): JsonFields | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isObject(value: unknown): value is JsonFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isEntry(trusted: JsonFields, path: string): boolean {
  return Object.hasOwn(trusted, path) && typeof trusted[path] === 'string';
}

function realPathOf(directory: string): string {
  try {
    return realpathSync(directory);
  } catch (error) {
    throw new Error(`Cannot resolve directory ${directory}`, { cause: error });
  }
}

function withParents(directory: string): string[] {
  const paths = [directory];
  for (let path = directory; path !== dirname(path); path = dirname(path)) {
    paths.push(dirname(path));
  }
  return paths;
}
