import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import { describeIssue } from '../live/describe-issue.ts';
import { answerRequestSchema, promptRequestSchema } from '../protocol.ts';

/** Messages accepted on stdin, one JSON object per line. */
const inputSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('user'),
    message: z.object({ content: promptRequestSchema.shape.content }),
  }),
  z.object({
    type: z.literal('permission_response'),
    request_id: z.string(),
    decision: z.enum(['allow', 'allow-session', 'allow-project', 'deny']),
    pattern: z.string().optional(),
    message: z.string().optional(),
  }),
  z.object({
    type: z.literal('answer'),
    question_id: z.string(),
    ...answerRequestSchema.shape,
  }),
  z.object({ type: z.literal('abort') }),
]);

export type HeadlessInput = z.infer<typeof inputSchema>;

/** The messages of a stream in order; invalid lines are reported and skipped. */
export async function* readInput(
  source: AsyncIterable<Uint8Array | string>,
  onBadLine: (reason: string) => void,
): AsyncGenerator<HeadlessInput> {
  for await (const line of splitLines(source)) {
    if (isBlank(line)) continue;
    const parsed = parseLine(line);
    if (parsed.message) yield parsed.message;
    else onBadLine(parsed.reason);
  }
}

/** Only a short line can be blank, so that a long one is not decoded for this. */
function isBlank(line: Buffer): boolean {
  return line.length < 1024 && line.toString('utf8').trim() === '';
}

/** Splits at newline bytes only; other separators belong to the text. Every byte is looked at once. */
async function* splitLines(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<Buffer> {
  let pieces: Buffer[] = [];
  for await (const chunk of source) {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk)
        : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let start = 0;
    for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
      yield Buffer.concat([...pieces, bytes.subarray(start, end)]);
      pieces = [];
      start = end + 1;
    }
    pieces.push(bytes.subarray(start));
  }
  yield Buffer.concat(pieces);
}

/** Invalid UTF-8 is refused, not replaced, so a prompt never differs from what was sent. */
function parseLine(
  line: Buffer,
): { message: HeadlessInput } | { message?: undefined; reason: string } {
  if (!isUtf8(line)) return { reason: 'Input line is not UTF-8.' };
  try {
    // A decoder leaves out a byte order mark.
    const given: unknown = JSON.parse(new TextDecoder().decode(line));
    const result = inputSchema.safeParse(given);
    if (result.success) return { message: result.data };
    return { reason: `Input line not understood: ${describeIssue(result.error, given)}` };
  } catch {
    return { reason: 'Input line is not JSON.' };
  }
}
