import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** A pipe without data for this long is treated as empty: some parent processes leave one open. */
const FIRST_BYTE_MS = 3000;

/** The text on stdin; undefined if there is none. Required input is read without a timeout. */
export async function readStdin(
  options: { readonly isOptional: boolean },
  stdin: NodeJS.ReadStream = process.stdin,
): Promise<string | undefined> {
  if (stdin.isTTY || !isPiped(0)) return undefined;
  if (options.isOptional && !(await hasInput(stdin, FIRST_BYTE_MS))) {
    stdin.destroy();
    return undefined;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8').trim();
  return text === '' ? undefined : text;
}

/** Resolves to whether data or the end arrived before the deadline. */
function hasInput(stream: Readable, deadlineMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (isSpeaking: boolean) => {
      clearTimeout(timer);
      stream.off('readable', onReadable);
      resolve(isSpeaking);
    };
    const onReadable = () => settle(true);
    const timer = setTimeout(() => settle(false), deadlineMs);
    stream.once('readable', onReadable);
  });
}

/** Only a pipe, a file or a socket can carry text; reading anything else could block forever. */
function isPiped(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // Stdin is closed.
    return false;
  }
}
