import { open, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { namesIn } from '../transcript-head.ts';
import type { SubagentFile, TranscriptLayout } from '../transcript-layout.ts';

/**
 * Rollouts lie in `sessions/<year>/<month>/<day>/` by the day a thread began, agents' beside those of people. A
 * fork names the rollout it goes on from, an agent the thread that started it, both in the first line.
 */
export const codexTranscriptLayout: TranscriptLayout = {
  /** An agent that is started tomorrow lies in tomorrow's folder. */
  foldersToWatch: async (path) => [...(await dayFolders(path, 'later')), dayFolderNow(path)],

  /** A revert begins another rollout for the same thread; the newest counts. */
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

/** What the first line of a rollout and its name say about where it belongs. */
interface RolloutOrigin extends Pick<SubagentFile, 'path'> {
  readonly threadId: string | undefined;
  readonly rolloutId: string;
  readonly sessionId: string | undefined;
  readonly parentId: string | undefined;
  readonly baseId: string | undefined;
}

/** The rollouts a thread goes on from, nearest first. */
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

/** Threads started by this one, and by those, while it was being written. */
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

/** Folders of days: all there are, or those from the day a rollout began to the day it was last written. */
async function dayFolders(path: string, which: 'any' | 'later'): Promise<string[]> {
  const own = dirname(path);
  const [, root, first] = /^(.*)\/(\d{4}\/\d{2}\/\d{2})$/.exec(own) ?? [];
  if (root === undefined || first === undefined) return [own];
  const last = which === 'any' ? '9999/99/99' : await lastDay(path);
  const days = await daysIn(root);
  const wanted = days.filter((day) => which === 'any' || (day >= first && day <= last));
  return wanted.map((day) => join(root, day));
}

/** Where a thread that begins now is written; dates of folders are local. */
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

/** Names carry local time, which may be a day ahead of ours. */
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

/** The file of a reverted thread is named `<thread>_<rollout>`; otherwise both ids are one. */
function rolloutIdOf(name: string): string | undefined {
  return ROLLOUT.exec(name)?.[2]?.split('_').at(-1);
}

/** The first line can be long; what it is asked for stands near its start. */
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
    const file = await open(path);
    try {
      const head = Buffer.alloc(HEAD_BYTES);
      const { bytesRead } = await file.read(head, 0, HEAD_BYTES, 0);
      return head.toString('utf8', 0, bytesRead).split('\n', 1)[0];
    } finally {
      await file.close();
    }
  } catch {
    // A rollout that vanished or may not be read belongs to no session.
    return undefined;
  }
}

/** The instructions in the first line take some 25 kB, and what follows them is needed too. */
const HEAD_BYTES = 1 << 16;
