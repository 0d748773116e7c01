import { basename, join } from 'node:path';
import { asArray, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { FinderPlace, FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';
import { orphansIn } from './paths.ts';
import { readUserMarker } from './user-markers.ts';

/** `~/.claude/projects/<project>/<session id>.jsonl`; `CLAUDE_CONFIG_DIR` overrides the root. */
export const claudeSessionFinder: SessionFinder = {
  async *find({ home, environment }) {
    for (const project of await foldersIn(projectsOf(home, environment))) {
      for (const name of await namesIn(project)) {
        if (!name.endsWith('.jsonl') || name.startsWith('agent-')) continue;
        const found = await describe(join(project, name));
        if (found) yield found;
      }
    }
  },

  async locate({ home, environment }, sessionId) {
    for (const project of await foldersIn(projectsOf(home, environment))) {
      const name = `${sessionId}.jsonl`;
      if ((await namesIn(project)).includes(name)) return join(project, name);
    }
    return undefined;
  },

  async *findOrphans({ home, environment }) {
    for (const project of await foldersIn(projectsOf(home, environment))) {
      for (const { id, path } of await orphansIn(project)) {
        const found = await describe(path);
        if (found) yield { ...found, id };
      }
    }
  },

  resumeCommand: (sessionId) => ['claude', '--resume', sessionId],
};

function projectsOf(home: string, environment: FinderPlace['environment']): string {
  return join(environment.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects');
}

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
