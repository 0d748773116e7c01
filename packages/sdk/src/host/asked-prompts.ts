import { type FileHandle, open } from 'node:fs/promises';

export interface AskedQuery {
  /** Message ids that are looked for. */
  readonly ids: ReadonlySet<string>;
  /** Milliseconds since 1970: entries from before this are not read; all are when left out. */
  readonly since?: number | undefined;
}

const CHUNK_BYTES = 64 * 1024;
/** Clocks are set back by less than this. */
const MARGIN_MS = 60_000;
const HEAD = /^\{"n":\d+,"t":(\d+),"event":"([a-z_]+)"/;

/**
 * Which prompts became part of the conversation, by their message ids, as a log says. It is read from its end, so that
 * the cost depends on how long the prompts have waited and not on the length of the session.
 */
export async function askedPrompts(
  file: string,
  { ids, since = 0 }: AskedQuery,
): Promise<ReadonlySet<string>> {
  const log = await openIfThere(file);
  if (!log) return new Set();
  try {
    return await saidIn(log, ids, since - MARGIN_MS);
  } finally {
    await log.close();
  }
}

async function saidIn(log: FileHandle, ids: ReadonlySet<string>, since: number) {
  const found = new Set<string>();
  // A prompt is announced first, and part of the conversation with the `user` entry that follows.
  let isSaid = false;
  for await (const line of linesFromEnd(log)) {
    const [, time = Number.POSITIVE_INFINITY, event] = HEAD.exec(line) ?? [];
    if (Number(time) < since || found.size === ids.size) break;
    const messageId = event === 'prompt' && isSaid ? messageIdIn(line) : undefined;
    if (messageId !== undefined && ids.has(messageId)) found.add(messageId);
    if (event === 'prompt' || event === 'user') isSaid = event === 'user';
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
    // What stands before the first end of a line may begin in the chunk before.
    const first = start === 0 ? -1 : text.indexOf(0x0a);
    rest = first < 0 && start > 0 ? text : text.subarray(0, first + 1);
    const whole = first < 0 && start > 0 ? '' : text.subarray(first + 1).toString('utf8');
    yield* whole.split('\n').reverse();
    end = start;
  }
}

function messageIdIn(line: string): string | undefined {
  try {
    const { messageId } = JSON.parse(line) as { readonly messageId?: unknown };
    return typeof messageId === 'string' ? messageId : undefined;
  } catch {
    // The process was killed while it wrote this line: nobody was asked.
    return undefined;
  }
}

async function openIfThere(file: string): Promise<FileHandle | undefined> {
  try {
    return await open(file, 'r');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
