import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { WrittenFile } from '@robota-sdk/agent-transcript/architectures';
import { z } from 'zod';
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

/** All recorded hand-overs, newest first. */
export async function listHandOvers(): Promise<readonly HandOverManifest[]> {
  const names = await readdir(folder()).catch(() => []);
  const found = await Promise.all(
    names
      .filter((name) => name.endsWith('.json'))
      .map((name) => readManifest(name.slice(0, -'.json'.length))),
  );
  return found
    .filter((manifest) => manifest !== undefined)
    .sort((one, other) => other.at.localeCompare(one.at));
}

/** Removes a written session by its new id, unless its program has continued it. */
export async function removeHandOver(id: string): Promise<RemoveHandOverResult> {
  const manifest = await readManifest(id);
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

async function readManifest(id: string): Promise<HandOverManifest | undefined> {
  if (!/^[0-9a-f-]{36}$/.test(id)) return undefined;
  const text = await readFile(manifestPath(id), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return manifestSchema().parse(JSON.parse(text));
  } catch (error) {
    throw new Error(`Cannot read the note of hand-over ${id}`, { cause: error });
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
