import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ConversationBlock } from '../../blocks.ts';
import { asString } from '../../json-record.ts';
import type { FinderPlace, FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';
import { findChatIn } from './chats.ts';
import { parseGeminiTranscriptFile } from './parse-transcript.ts';

/** `~/.gemini/tmp/<project>/chats/session-*.json[l]`; `GEMINI_CLI_HOME` moves the home. */
export const geminiSessionFinder: SessionFinder = {
  async *find({ home, environment }) {
    for (const project of await foldersIn(projectsOf(home, environment))) {
      const cwd = await readFile(join(project, '.project_root'), 'utf8').catch(() => undefined);
      const chats = join(project, 'chats');
      for (const name of await chatNames(chats)) {
        const found = await describe(join(chats, name), cwd?.trim());
        if (found) yield found;
      }
    }
  },

  locate: ({ home, environment }, sessionId) =>
    findChatIn(projectsOf(home, environment), sessionId),

  resumeCommand: (sessionId) => ['gemini', '--resume', sessionId],
};

function projectsOf(home: string, environment: FinderPlace['environment']): string {
  return join(environment.GEMINI_CLI_HOME || home, '.gemini', 'tmp');
}

/** A chat from before 0.39 that was resumed since exists in both forms; the lines are the one in use. */
async function chatNames(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter((name) => /^session-.*\.jsonl?$/.test(name));
  const present = new Set(names);
  return names.filter((name) => !present.has(`${name}l`));
}

/** Every resume leaves a file behind that holds only the program's opening words: no session of its own. */
async function describe(
  path: string,
  cwd: string | undefined,
): Promise<FoundTranscript | undefined> {
  const head = await readHead(path);
  if (head === undefined) return undefined;
  const { blocks, superseded, metadata } = parseGeminiTranscriptFile(head.text);
  const id = asString(metadata.sessionId);
  const said = [...blocks, ...superseded.flatMap((branch) => branch.blocks)];
  if (id === undefined || (said.length === 0 && isWhole(head.text))) return undefined;
  return {
    type: 'gemini-cli',
    id,
    path,
    cwd: cwd ?? asString(metadata.cwd),
    preview: said.map(promptOf).find((text) => text !== undefined),
    updatedAt: head.updatedAt,
  };
}

function promptOf(block: ConversationBlock): string | undefined {
  if (block.type !== 'user_message') return undefined;
  if (typeof block.content === 'string') return block.content;
  return block.content.find((part) => part.type === 'text')?.text;
}

/** A shorter text than a head can hold is the whole file. */
function isWhole(text: string): boolean {
  return Buffer.byteLength(text) < HEAD_BYTES;
}

const HEAD_BYTES = 1 << 16;
