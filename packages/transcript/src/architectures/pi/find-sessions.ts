import { join } from 'node:path';
import { asId, asRecord, asString } from '../../json-record.ts';
import type { FinderPlace, FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';
import type { TranscriptLayout } from '../transcript-layout.ts';
import { textOf } from './entry-blocks.ts';

/** One file per session. */
export const piTranscriptLayout: TranscriptLayout = {
  findSubagentFiles: async () => [],
  foldersToWatch: async (path) => [join(path, '..')],
};

/** `~/.pi/agent/sessions/--<directory>--/<time>_<id>.jsonl`; `PI_CODING_AGENT_DIR` overrides the root. */
export const piSessionFinder: SessionFinder = {
  async *find(place) {
    for (const project of await foldersIn(sessionsOf(place))) {
      for (const name of await namesIn(project)) {
        const id = SESSION_FILE.exec(name)?.[1];
        const found = id === undefined ? undefined : await describe(join(project, name), id);
        if (found) yield found;
      }
    }
  },

  async locate(place, sessionId) {
    for (const project of await foldersIn(sessionsOf(place))) {
      const name = (await namesIn(project)).find(
        (each) => SESSION_FILE.exec(each)?.[1] === sessionId,
      );
      if (name !== undefined) return join(project, name);
    }
    return undefined;
  },

  resumeCommand: (sessionId) => ['pi', '--session', sessionId],
};

const SESSION_FILE = /^[^_]+_(.+)\.jsonl$/;

function sessionsOf({ home, environment }: FinderPlace): string {
  return join(environment.PI_CODING_AGENT_DIR || join(home, '.pi', 'agent'), 'sessions');
}

async function describe(path: string, id: string): Promise<FoundTranscript | undefined> {
  const head = await readHead(path);
  if (!head || head.text === '') return undefined;
  const header = head.records.find(({ type }) => type === 'session');
  const prompts = head.records
    .map(({ message }) => asRecord(message))
    .filter(({ role }) => role === 'user');
  const preview = textOf(prompts[0]?.content);
  return {
    type: 'pi',
    id: asId(header?.id) ?? id,
    path,
    cwd: asString(header?.cwd),
    preview: preview === '' ? undefined : preview,
    updatedAt: head.updatedAt,
  };
}
