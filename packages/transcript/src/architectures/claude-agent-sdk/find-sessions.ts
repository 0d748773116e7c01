import { basename, join } from 'node:path';
import { asArray, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';
import { readUserMarker } from './user-markers.ts';

/** `~/.claude/projects/<project>/<session id>.jsonl`; `CLAUDE_CONFIG_DIR` moves the root. */
export const claudeSessionFinder: SessionFinder = {
  async *find({ home, environment }) {
    const root = environment.CLAUDE_CONFIG_DIR || join(home, '.claude');
    for (const project of await foldersIn(join(root, 'projects'))) {
      for (const name of await namesIn(project)) {
        if (!name.endsWith('.jsonl') || name.startsWith('agent-')) continue;
        const found = await describe(join(project, name));
        if (found) yield found;
      }
    }
  },

  resumeCommand: (sessionId) => ['claude', '--resume', sessionId],
};

async function describe(path: string): Promise<FoundTranscript | undefined> {
  const head = await readHead(path);
  if (!head || head.text === '') return undefined;
  const cwds = head.records.map((record) => asString(record.cwd));
  return {
    type: 'claude-agent-sdk',
    id: basename(path, '.jsonl'),
    path,
    cwd: cwds.find((cwd) => cwd !== undefined),
    preview: firstPrompt(head.records),
    updatedAt: head.updatedAt,
  };
}

function firstPrompt(records: readonly JsonRecord[]): string | undefined {
  for (const record of records) {
    if (record.type !== 'user' || record.isMeta === true) continue;
    const text = textOf(asRecord(record.message).content);
    if (text !== undefined && readUserMarker(text) === undefined) return text;
  }
  return undefined;
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  const part = asArray(content)
    .map(asRecord)
    .find(({ type }) => type === 'text');
  return part && asString(part.text);
}
