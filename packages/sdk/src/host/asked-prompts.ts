import { type FileHandle, open } from 'node:fs/promises';

export interface AskedQuery {
  /** Message ids to look for. */
  readonly ids: ReadonlySet<string>;
  /** Entries older than this are not read, in milliseconds since 1970; all are by default. */
  readonly since?: number | undefined;
}

const CHUNK_BYTES = 64 * 1024;
/** Tolerance for a clock that was set back. */
const MARGIN_MS = 60_000;
const HEAD = /^\{"n":\d+,"t":(\d+),"event":"([a-z_]+)"/;

/**
 * Which of the prompts a log shows as part of the conversation. The log is read from its end, so that the cost depends
 * on how long the prompts have been pending and not on the length of the session.
 */
export async function askedPrompts(
  file: string,
  { ids, since = 0 }: AskedQuery,
): Promise<ReadonlySet<string>> {
  const log = await openIfExists(file);
  if (!log) return new Set();
  try {
    return await findAsked(log, ids, since - MARGIN_MS);
  } finally {
    await log.close();
  }
}

async function findAsked(log: FileHandle, ids: ReadonlySet<string>, since: number) {
  const found = new Set<string>();
  // A `prompt` entry announces it; the `user` entry that follows adds it to the conversation.
  let hasUserEntry = false;
  for await (const line of linesFromEnd(log)) {
    const [, time = Number.POSITIVE_INFINITY, event] = HEAD.exec(line) ?? [];
    if (Number(time) < since || found.size === ids.size) break;
    const messageId = event === 'prompt' && hasUserEntry ? messageIdIn(line) : undefined;
    if (messageId !== undefined && ids.has(messageId)) found.add(messageId);
    if (event === 'prompt' || event === 'user') hasUserEntry = event === 'user';
  }
  return found;
}

async function* linesFromEnd(log: FileHandle): AsyncGenerator<string> {
  let { size: end } = await log.stat();
  let rest = Buffer.alloc(0);
  while (end > 0) {
    const start = Math.max(0, end - CHUNK_BYTES);
    const chunk = Buffer.alloc(end - start);
    await log.read(chunk, 0, chunk.length, start);
    const text = Buffer.concat([chunk, rest]);
    // Text before the first newline may begin in the previous chunk.
    const first = start === 0 ? -1 : text.indexOf(0x0a);
    rest = first < 0 && start > 0 ? text : text.subarray(0, first + 1);
    const lines = first < 0 && start > 0 ? '' : text.subarray(first + 1).toString('utf8');
    yield* lines.split('\n').reverse();
    end = start;
  }
}

function messageIdIn(line: string): string | undefined {
  try {
    const { messageId } = JSON.parse(line) as { readonly messageId?: unknown };
    return typeof messageId === 'string' ? messageId : undefined;
  } catch {
    // The process was killed while writing this line, so the prompt was not sent.
    return undefined;
  }
}

async function openIfExists(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
