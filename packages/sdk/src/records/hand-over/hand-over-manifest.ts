import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenFile } from '@robota-sdk/agent-transcript/architectures';
import { z } from 'zod';
import { readSettingsText, type UnreadableFile } from '../../config/read-settings-text.ts';
import { robotaHome } from '../../paths.ts';

const manifestSchema = () =>
  z.object({
    version: z.literal(1),
    /** ISO 8601. */
    at: z.string(),
    source: z.object({ agent: z.string(), id: z.string(), path: z.string() }),
    target: z.object({ agent: z.string(), id: z.string() }),
    file: z.string(),
    /** Absent while the file is being written, and when writing was interrupted. */
    bytes: z.number().optional(),
    sha256: z.string().optional(),
  });

/** Records what was written into another agent's home, so that it can be found and removed. */
export type HandOverManifest = z.infer<ReturnType<typeof manifestSchema>>;

/** The result of removing a hand-over. */
export type RemoveHandOverResult =
  | { readonly status: 'removed'; readonly file: string }
  /** The program has continued the session, so the file is kept. */
  | { readonly status: 'continued'; readonly file: string }
  | { readonly status: 'missing'; readonly file: string }
  | { readonly status: 'unknown' };

/** Saved before the file itself, so that every file in another home is on record. */
export async function announceFile(manifest: HandOverManifest): Promise<void> {
  await save(manifest);
}

export async function confirmFile(
  manifest: HandOverManifest,
  { bytes, sha256 }: WrittenFile,
): Promise<void> {
  await save({ ...manifest, bytes, sha256 });
}

export async function withdrawFile({ target }: HandOverManifest): Promise<void> {
  await rm(manifestPath(target.id), { force: true });
}

/** All recorded hand-overs, newest first; records that cannot be read are left out. */
export async function listHandOvers(): Promise<readonly HandOverManifest[]> {
  return (await readAll())
    .flatMap(({ manifest }) => (manifest === undefined ? [] : [manifest]))
    .sort((one, other) => other.at.localeCompare(one.at));
}

/** Records of hand-overs that cannot be read, by path; the session they were written for cannot be undone. */
export async function listDamagedHandOvers(): Promise<readonly string[]> {
  return (await readAll()).flatMap(({ id, manifest }) =>
    manifest === undefined ? [manifestPath(id)] : [],
  );
}

async function readAll() {
  const names = await readdir(folder()).catch(() => []);
  return names
    .filter((name) => name.endsWith('.json'))
    .sort()
    .map((name) => name.slice(0, -'.json'.length))
    .filter(isHandOverId)
    .map((id) => ({ id, manifest: parseManifest(readSettingsText(manifestPath(id))) }));
}

/** Removes a written session by its new id, unless its program has continued it. */
export async function removeHandOver(id: string): Promise<RemoveHandOverResult> {
  const manifest = readManifest(id);
  if (manifest === undefined) return { status: 'unknown' };
  const { file } = manifest;
  const state = await stateOf(manifest);
  if (state === 'continued') return { status: 'continued', file };
  if (state === 'unchanged') await rm(file);
  await withdrawFile(manifest);
  return { status: state === 'missing' ? 'missing' : 'removed', file };
}

async function stateOf({ file, bytes, sha256 }: HandOverManifest) {
  const found = await stat(file).catch(() => undefined);
  if (found === undefined) return 'missing';
  if (bytes === undefined) return 'continued';
  if (found.size !== bytes) return 'continued';
  return (await hashOf(file)) === sha256 ? 'unchanged' : 'continued';
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

function readManifest(id: string): HandOverManifest | undefined {
  const text = isHandOverId(id) ? readSettingsText(manifestPath(id)) : null;
  if (text === null) return undefined;
  const manifest = parseManifest(text);
  if (manifest !== undefined) return manifest;
  throw new Error(
    `Cannot read ${manifestPath(id)}, which records where session ${id} was written. Delete that session with its own program, then this file.`,
  );
}

function isHandOverId(id: string): boolean {
  return /^[0-9a-f-]{36}$/.test(id);
}

function parseManifest(text: string | UnreadableFile | null): HandOverManifest | undefined {
  try {
    return typeof text === 'string' ? manifestSchema().parse(JSON.parse(text)) : undefined;
  } catch {
    return undefined;
  }
}

async function save(manifest: HandOverManifest): Promise<void> {
  await mkdir(folder(), { recursive: true, mode: 0o700 });
  const path = manifestPath(manifest.target.id);
  await writeFile(`${path}.tmp`, `${JSON.stringify(manifest, null, 2)}\n`, { mode: 0o600 });
  await rename(`${path}.tmp`, path);
}

function manifestPath(id: string): string {
  return join(folder(), `${id}.json`);
}

function folder(): string {
  return join(robotaHome(), 'hand-overs');
}
