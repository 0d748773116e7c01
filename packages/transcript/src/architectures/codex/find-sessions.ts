import { join } from 'node:path';
import { asArray, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';

/** `~/.codex/sessions/<year>/<month>/<day>/rollout-*.jsonl`, in the first version all in one folder; `CODEX_HOME` moves the root. */
export const codexSessionFinder: SessionFinder = {
  async *find({ home, environment }) {
    const root = join(environment.CODEX_HOME || join(home, '.codex'), 'sessions');
    for (const folder of await foldersBelow(root, 3)) {
      for (const name of await namesIn(folder)) {
        if (!/^rollout-.*\.jsonl$/.test(name)) continue;
        const found = await describe(join(folder, name), name);
        if (found) yield found;
      }
    }
  },

  resumeCommand: (sessionId) => ['codex', 'resume', sessionId],
};

async function foldersBelow(folder: string, depth: number): Promise<string[]> {
  if (depth === 0) return [folder];
  const nested: string[] = [];
  for (const inner of await foldersIn(folder))
    nested.push(...(await foldersBelow(inner, depth - 1)));
  return [folder, ...nested];
}

async function describe(path: string, name: string): Promise<FoundTranscript | undefined> {
  const head = await readHead(path);
  const id = /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl$/.exec(name)?.[1];
  if (!head || !id) return undefined;
  return {
    type: 'codex',
    id,
    path,
    cwd: asString(payloadOf(head.records[0]).cwd) ?? /"cwd":"([^"]+)"/.exec(head.text)?.[1],
    preview: head.records.map(promptOf).find((text) => text !== undefined),
    updatedAt: head.updatedAt,
  };
}

function payloadOf(record: JsonRecord | undefined): JsonRecord {
  return asRecord(record?.payload ?? record);
}

/** The event says what the person typed; the response item may hold the program's own context. */
function promptOf(record: JsonRecord): string | undefined {
  const payload = payloadOf(record);
  if (payload.type === 'user_message') return asString(payload.message);
  if (payload.type !== 'message' || payload.role !== 'user') return undefined;
  const text = asString(asRecord(asArray(payload.content)[0]).text);
  return text?.trimStart().startsWith('<') || text?.startsWith('# AGENTS.md') ? undefined : text;
}
