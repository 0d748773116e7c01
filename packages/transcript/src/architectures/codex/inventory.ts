import { join } from 'node:path';
import {
  type FamilyPart,
  type InventoryFile,
  originOf,
  toFamily,
  walkFiles,
} from '../inventory-files.ts';
import type { OriginMemory, SessionInventory, TranscriptFamily } from '../session-inventory.ts';

/** `sessions/<year>/<month>/<day>/rollout-*.jsonl`; the first line names the thread and what it continues. */
export const codexInventory: SessionInventory = {
  take({ home, environment }, memory) {
    const root = join(environment.CODEX_HOME || join(home, '.codex'), 'sessions');
    const { files, watched } = walkFiles([root], {
      depth: 3,
      accepts: (name) => ROLLOUT.test(name),
    });
    const rollouts = files.flatMap((file) => readRollout(file, memory));
    return { families: familiesOf(rollouts), watched };
  },
};

interface Rollout {
  readonly file: InventoryFile;
  readonly threadId: string;
  readonly rolloutId: string;
  readonly sessionId: string | undefined;
  readonly parentId: string | undefined;
  readonly baseId: string | undefined;
}

type Origin = Pick<Rollout, 'sessionId' | 'parentId' | 'baseId'>;

function familiesOf(rollouts: readonly Rollout[]): TranscriptFamily[] {
  // A revert starts another rollout of the same thread; files are sorted by name, so the newest wins.
  const newest = new Map(rollouts.map((rollout) => [rollout.threadId, rollout]));
  const byRollout = new Map(rollouts.map((rollout) => [rollout.rolloutId, rollout]));
  const agents = agentsByRoot(rollouts);
  return [...newest.values()].flatMap((main) => {
    if (main.parentId !== undefined) return [];
    const parts = [...basesOf(main, byRollout), ...(agents.get(main.threadId) ?? [])].map(toPart);
    return [toFamily({ type: 'codex', id: main.threadId, main: main.file, parts })];
  });
}

/** Subagent threads, grouped by the user's thread at the root. */
function agentsByRoot(rollouts: readonly Rollout[]): ReadonlyMap<string, Rollout[]> {
  const parents = new Map(rollouts.map(({ threadId, parentId }) => [threadId, parentId]));
  const agents = new Map<string, Rollout[]>();
  for (const rollout of rollouts) {
    if (rollout.parentId === undefined) continue;
    const root = rootOf(rollout, parents);
    const own = agents.get(root);
    if (own === undefined) agents.set(root, [rollout]);
    else own.push(rollout);
  }
  return agents;
}

function rootOf(rollout: Rollout, parents: ReadonlyMap<string, string | undefined>): string {
  const seen = new Set<string>();
  let root = rollout.parentId ?? rollout.threadId;
  for (
    let next = parents.get(root);
    next !== undefined && !seen.has(root);
    next = parents.get(root)
  ) {
    seen.add(root);
    root = next;
  }
  const { sessionId } = rollout;
  return parents.has(root) || sessionId === undefined ? root : sessionId;
}

function basesOf(main: Rollout, byRollout: ReadonlyMap<string, Rollout>): Rollout[] {
  const bases: Rollout[] = [];
  const seen = new Set([main.rolloutId]);
  for (let id = main.baseId; id !== undefined && !seen.has(id); ) {
    seen.add(id);
    const base = byRollout.get(id);
    if (base === undefined) break;
    bases.push(base);
    id = base.baseId;
  }
  return bases;
}

function toPart({ rolloutId, file }: Rollout): FamilyPart {
  return { id: rolloutId, path: file.path, files: [file] };
}

function readRollout(file: InventoryFile, memory: OriginMemory): Rollout[] {
  const ids = ROLLOUT.exec(file.name);
  if (ids?.[1] === undefined) return [];
  // Produced by `readOrigin`, so it has this shape.
  const origin = originOf(file, { memory, bytes: HEAD_BYTES, read: readOrigin }) as Origin | null;
  if (origin === undefined || origin === null) return [];
  return [{ file, threadId: ids[1], rolloutId: ids[2] ?? ids[1], ...origin }];
}

/** The first line can be long; the needed fields are near its start. */
function readOrigin(head: string): Origin {
  const [line = ''] = head.split('\n', 1);
  const field = (name: string, text = line) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1];
  const base = /"history_base":\{[^}]*\}/.exec(line)?.[0];
  return {
    sessionId: field('session_id'),
    parentId: field('parent_thread_id'),
    baseId: base === undefined ? undefined : field('thread_id', base),
  };
}

/** A reverted thread's file is named `<thread>_<rollout>`; otherwise both ids are the same. */
const ROLLOUT =
  /^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_([0-9a-f-]+))?\.jsonl$/;
const HEAD_BYTES = 1 << 16;
