import { join } from 'node:path';
import type { ConversationBlock } from '../../blocks.ts';
import { asString } from '../../json-record.ts';
import { readExisting } from '../existing-file.ts';
import type { FinderPlace, FoundTranscript, SessionFinder } from '../session-finder.ts';
import { foldersIn, namesIn, readHead } from '../transcript-head.ts';
import { findChatIn } from './chats.ts';
import { parseGeminiTranscriptFile } from './parse-transcript.ts';

/** `~/.gemini/tmp/<project>/chats/session-*.json[l]`; `GEMINI_CLI_HOME` overrides the home. */
export const geminiSessionFinder: SessionFinder = {
  async *find({ home, environment }) {
    for (const project of await foldersIn(projectsOf(home, environment))) {
      const cwd = await readExisting(join(project, '.project_root')).catch(() => undefined);
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

/** A chat from before 0.39 that was resumed since exists in both formats; the JSON lines are current. */
async function chatNames(folder: string): Promise<string[]> {
  const names = (await namesIn(folder)).filter((name) => /^session-.*\.jsonl?$/.test(name));
  const present = new Set(names);
  return names.filter((name) => !present.has(`${name}l`));
}

/** Every resume leaves a file with only the program's initial messages, which is not a session. */
async function describe(
  path: string,
  cwd: string | undefined,
): Promise<FoundTranscript | undefined> {
  const head = await readHead(path);
  if (head === undefined) return undefined;
  const { blocks, superseded, metadata } = parseGeminiTranscriptFile(head.text);
  const id = asString(metadata.sessionId);
  const shown = [...blocks, ...superseded.flatMap((branch) => branch.blocks)];
  if (id === undefined || (shown.length === 0 && isWholeFile(head.text))) return undefined;
  return {
    type: 'gemini-cli',
    id,
    path,
    cwd: cwd ?? asString(metadata.cwd),
    preview: shown.map(promptOf).find((text) => text !== undefined),
    updatedAt: head.updatedAt,
  };
}

function promptOf(block: ConversationBlock): string | undefined {
  if (block.type !== 'user_message') return undefined;
  if (typeof block.content === 'string') return block.content;
  return block.content.find((part) => part.type === 'text')?.text;
}

/** A text shorter than the head limit is the whole file. */
function isWholeFile(text: string): boolean {
  return Buffer.byteLength(text) < HEAD_BYTES;
}

const HEAD_BYTES = 1 << 16;
