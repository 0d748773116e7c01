import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { openExisting } from '../existing-file.ts';
import { namesIn } from '../transcript-head.ts';
import type { SubagentFile, TranscriptLayout } from '../transcript-layout.ts';

/**
 * Rollouts are in `sessions/<year>/<month>/<day>/` by the day the thread began, subagents included. The first line
 * of a fork names the rollout it continues, that of a subagent the thread that started it.
 */
export const codexTranscriptLayout: TranscriptLayout = {
  /** Includes today's folder, where new subagents are written. */
  foldersToWatch: async (path) => [...(await dayFolders(path, 'later')), dayFolderNow(path)],

  /** A revert starts another rollout of the same thread; the newest is current. */
  async findCurrentFile(path) {
    const threadId = (await readOrigin(path))?.threadId;
    if (threadId === undefined) return path;
    const found: { readonly name: string; readonly file: string }[] = [];
    for (const folder of [...(await dayFolders(path, 'later')), dayFolderNow(path)]) {
      for (const name of await rolloutsIn(folder)) {
        const isOwn = name.endsWith(`-${threadId}.jsonl`) || name.includes(`-${threadId}_`);
        if (isOwn) found.push({ name, file: join(folder, name) });
      }
    }
    const newest = found.sort((one, other) => (one.name < other.name ? -1 : 1)).at(-1);
    return newest?.file ?? path;
  },

  async findSubagentFiles(path) {
    const main = await readOrigin(path);
    if (main === undefined) return [];
    const bases = await findBases(main);
    const agents = await findAgents(main);
    return [...bases, ...agents].map(({ rolloutId, path: file }) => ({
      id: rolloutId,
      path: file,
    }));
  },
};

/** Links of a rollout, from its first line and its name. */
interface RolloutOrigin extends Pick<SubagentFile, 'path'> {
  readonly threadId: string | undefined;
  readonly rolloutId: string;
  readonly sessionId: string | undefined;
  readonly parentId: string | undefined;
  readonly baseId: string | undefined;
}

/** The rollouts a thread continues, nearest first. */
async function findBases(origin: RolloutOrigin): Promise<RolloutOrigin[]> {
  const bases: RolloutOrigin[] = [];
  const seen = new Set([origin.rolloutId]);
  let { baseId } = origin;
  while (baseId !== undefined && !seen.has(baseId)) {
    seen.add(baseId);
    const wanted: string = baseId;
    const base: RolloutOrigin | undefined = await findRollout(origin.path, wanted);
    if (base === undefined) break;
    bases.push(base);
    baseId = base.baseId;
  }
  return bases;
}

async function findRollout(path: string, rolloutId: string): Promise<RolloutOrigin | undefined> {
  for (const folder of await dayFolders(path, 'any')) {
    const name = (await rolloutsIn(folder)).find((each) => rolloutIdOf(each) === rolloutId);
    if (name !== undefined) return readOrigin(join(folder, name));
  }
  return undefined;
}

/** Threads started by this one, directly or indirectly. */
async function findAgents(main: RolloutOrigin): Promise<RolloutOrigin[]> {
  const others: RolloutOrigin[] = [];
  const firstName = basename(main.path);
  for (const folder of await dayFolders(main.path, 'later')) {
    for (const name of await rolloutsIn(folder)) {
      const path = join(folder, name);
      if (path === main.path || nameTime(name) < nameTime(firstName)) continue;
      const origin = await readOrigin(path);
      if (origin?.parentId !== undefined) others.push(origin);
    }
  }
  const family = new Set([main.threadId]);
  const agents: RolloutOrigin[] = [];
  for (const origin of others) {
    if (!family.has(origin.parentId) && origin.sessionId !== main.threadId) continue;
    family.add(origin.threadId);
    agents.push(origin);
  }
  return agents;
}

/** All day folders, or those from the day a rollout began to the day it was last written. */
async function dayFolders(path: string, which: 'any' | 'later'): Promise<string[]> {
  const own = dirname(path);
  const [, root, first] = /^(.*)\/(\d{4}\/\d{2}\/\d{2})$/.exec(own) ?? [];
  if (root === undefined || first === undefined) return [own];
  const last = which === 'any' ? '9999/99/99' : await lastDay(path);
  const days = await daysIn(root);
  const wanted = days.filter((day) => which === 'any' || (day >= first && day <= last));
  return wanted.map((day) => join(root, day));
}

/** The folder of a thread that starts now; folder dates are in local time. */
function dayFolderNow(path: string): string {
  const [, root] = /^(.*)\/\d{4}\/\d{2}\/\d{2}$/.exec(dirname(path)) ?? [];
  if (root === undefined) return dirname(path);
  const now = new Date();
  const [month, day] = [now.getMonth() + 1, now.getDate()].map((part) =>
    `${part}`.padStart(2, '0'),
  );
  return join(root, `${now.getFullYear()}`, month ?? '', day ?? '');
}

async function daysIn(root: string): Promise<string[]> {
  const days: string[] = [];
  for (const year of await namesIn(root)) {
    for (const month of await namesIn(join(root, year))) {
      for (const day of await namesIn(join(root, year, month)))
        days.push(`${year}/${month}/${day}`);
    }
  }
  return days;
}

/** Names use local time, which may be a day ahead of UTC. */
async function lastDay(path: string): Promise<string> {
  const { mtimeMs } = await stat(path);
  return new Date(mtimeMs + DAY_MS).toISOString().slice(0, 10).replaceAll('-', '/');
}

const DAY_MS = 86_400_000;

async function rolloutsIn(folder: string): Promise<string[]> {
  return (await namesIn(folder)).filter((name) => ROLLOUT.test(name));
}

const ROLLOUT = /^rollout-(\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2})-(.+)\.jsonl$/;

function nameTime(name: string): string {
  return ROLLOUT.exec(name)?.[1] ?? '';
}

/** A reverted thread's file is named `<thread>_<rollout>`; otherwise both ids are the same. */
function rolloutIdOf(name: string): string | undefined {
  return ROLLOUT.exec(name)?.[2]?.split('_').at(-1);
}

/** The first line can be long; the needed fields are near its start. */
async function readOrigin(path: string): Promise<RolloutOrigin | undefined> {
  const head = await readHeadText(path);
  if (head === undefined) return undefined;
  const field = (name: string, text = head) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1];
  const base = /"history_base":\{[^}]*\}/.exec(head)?.[0];
  const threadId = field('id');
  return {
    path,
    threadId,
    rolloutId: rolloutIdOf(basename(path)) ?? threadId ?? path,
    sessionId: field('session_id'),
    parentId: field('parent_thread_id'),
    baseId: base === undefined ? undefined : field('thread_id', base),
  };
}

async function readHeadText(path: string): Promise<string | undefined> {
  try {
    const file = await openExisting(path);
    if (file === undefined) return undefined;
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      return head.toString('utf8', 0, bytesRead).split('\n', 1)[0];
    } finally {
      await file.close();
    }
  } catch {
    // A rollout that disappeared or cannot be read belongs to no session.
    return undefined;
  }
}

/** The instructions in the first line take about 25 kB, and fields after them are needed. */
const HEAD_BYTES = 1 << 16;
