import { join } from 'node:path';
import { asArray, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { FinderPlace, FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';

/** `~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`, in the first version without subfolders; `CODEX_HOME` overrides the root. */
export const codexSessionFinder: SessionFinder = {
  async *find({ home, environment }) {
    for (const [id, path] of await newestRollouts(sessionsOf(home, environment))) {
      const found = await describe(path, id);
      if (found) yield found;
    }
  },

  async locate({ home, environment }, sessionId) {
    return (await newestRollouts(sessionsOf(home, environment))).get(sessionId);
  },

  resumeCommand: (sessionId) => ['codex', 'resume', sessionId],
};

function sessionsOf(home: string, environment: FinderPlace['environment']): string {
  return join(environment.CODEX_HOME || join(home, '.codex'), 'sessions');
}

/** The newest file of each thread; a revert starts another file for the same thread. */
async function newestRollouts(root: string): Promise<ReadonlyMap<string, string>> {
  const paths = new Map<string, string>();
  for (const folder of await foldersBelow(root, 3)) {
    for (const name of await namesIn(folder)) {
      const id = ROLLOUT.exec(name)?.[1];
      if (id !== undefined) paths.set(id, join(folder, name));
    }
  }
  return paths;
}

const ROLLOUT = /^rollout-.*?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})(?:_[0-9a-f-]+)?\.jsonl$/;

async function foldersBelow(folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [folder];
  const nested: string[] = [];
  for (const inner of await foldersIn(folder))
    nested.push(...(await foldersBelow(inner, depth - 1)));
  return [folder, ...nested];
}

/** `undefined` for unreadable files, and for subagent threads, which belong to another session. */
async function describe(path: string, id: string): Promise<FoundTranscript | undefined> {
  const head = await readHead(path);
  if (!head || AGENT_THREAD.test(head.text.slice(0, FIRST_FIELDS))) return undefined;
  return {
    type: 'codex',
    id,
    path,
    cwd: asString(payloadOf(head.records[0]).cwd) ?? /"cwd":"([^"]+)"/.exec(head.text)?.[1],
    preview: head.records.map(promptOf).find((text) => text !== undefined),
    updatedAt: head.updatedAt,
  };
}

const AGENT_THREAD = /"parent_thread_id":"/;

/** The thread's fields come before the long instructions in the first line. */
const FIRST_FIELDS = 2000;

function payloadOf(record: JsonRecord | undefined): JsonRecord {
  return asRecord(record?.payload ?? record);
}

/** The event contains what the user typed; the response item may contain the program's own context. */
function promptOf(record: JsonRecord): string | undefined {
  const payload = payloadOf(record);
  if (payload.type === 'user_message') return asString(payload.message);
  if (payload.type !== 'message' || payload.role !== 'user') return undefined;
  const text = asString(asRecord(asArray(payload.content)[0]).text);
  return text?.trimStart().startsWith('<') || text?.startsWith('# AGENTS.md') ? undefined : text;
}
