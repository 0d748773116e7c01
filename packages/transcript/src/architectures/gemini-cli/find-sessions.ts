import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asArray, asRecord, asString, type JsonRecord } from '../../json-record.ts';
import type { FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';

/** `~/.gemini/tmp/<project>/chats/session-*.json[l]`; `GEMINI_CLI_HOME` moves the home. */
export const geminiSessionFinder: SessionFinder = {
  async *find({ home, environment }) {
    const root = join(environment.GEMINI_CLI_HOME || home, '.gemini', 'tmp');
    for (const project of await foldersIn(root)) {
      const cwd = await readFile(join(project, '.project_root'), 'utf8').catch(() => undefined);
      const chats = join(project, 'chats');
      for (const name of await namesIn(chats)) {
        if (!/^session-.*\.jsonl?$/.test(name)) continue;
        const found = await describe(join(chats, name), cwd?.trim());
        if (found) yield found;
      }
    }
  },

  resumeCommand: (sessionId) => ['gemini', '--resume', sessionId],
};

async function describe(
  path: string,
  cwd: string | undefined,
): Promise<FoundTranscript | undefined> {
  const head = await readHead(path);
  const id = head && /"sessionId"\s*:\s*"([^"]+)"/.exec(head.text)?.[1];
  if (!id) return undefined;
  return {
    type: 'gemini-cli',
    id,
    path,
    cwd,
    preview: firstPrompt(head.records) ?? legacyPrompt(head.text),
    updatedAt: head.updatedAt,
  };
}

/** What the program says about the workspace is no prompt. */
function firstPrompt(records: readonly JsonRecord[]): string | undefined {
  const texts = records.filter(({ type }) => type === 'user').map(({ content }) => textOf(content));
  return texts.find((text) => text !== undefined && !text.startsWith('<session_context>'));
}

function textOf(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  return asString(asRecord(asArray(content)[0]).text);
}

/** One JSON document over many lines: the head holds no whole record, but the first text stands early. */
function legacyPrompt(text: string): string | undefined {
  const quoted =
    /"type"\s*:\s*"user",\s*"content"\s*:\s*(?:\[\s*\{\s*"text"\s*:\s*)?("(?:[^"\\]|\\.)*")/.exec(
      text,
    )?.[1];
  return quoted === undefined ? undefined : asString(JSON.parse(quoted));
}
