import { fstatSync } from 'node:fs';
import type { Readable } from 'node:stream';

/** A pipe that says nothing for this long is not going to; some parents leave one open and empty. */
const FIRST_BYTE_MS = 3000;

/** The text on stdin; undefined where there is none to wait for. What is not optional is waited for to the end. */
export async function readStdin(
  options: { readonly isOptional: boolean },
  stdin: NodeJS.ReadStream = process.stdin,
): Promise<string | undefined> {
  if (stdin.isTTY || !isPiped(0)) return undefined;
  if (options.isOptional && !(await speaks(stdin, FIRST_BYTE_MS))) {
    stdin.destroy();
    return undefined;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
  const text = Buffer.concat(chunks).toString('utf8').trim();
  return text === '' ? undefined : text;
}

/** Resolves as soon as there is something to read, or the end. */
function speaks(stream: Readable, deadlineMs: number): Promise<boolean> {
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

/** Only a pipe, a file or a socket can hold text; waiting on anything else could last for ever. */
function isPiped(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isFIFO() || stats.isFile() || stats.isSocket();
  } catch {
    // A closed stdin has nothing to say.
    return false;
  }
}
