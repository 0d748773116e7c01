import { z } from 'zod';
import { describeIssue } from '../live/describe-issue.ts';
import { answerRequestSchema, promptRequestSchema } from '../protocol.ts';

/** What a host may say on stdin, one JSON object a line. */
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

/** The messages of a stream in order; a line that is none is reported and skipped. */
export async function* readInput(
  source: AsyncIterable<Uint8Array | string>,
  onBadLine: (reason: string) => void,
): AsyncGenerator<HeadlessInput> {
  for await (const line of splitLines(source)) {
    const parsed = parseLine(line);
    if (parsed.message) yield parsed.message;
    else onBadLine(parsed.reason);
  }
}

/** Lines end at a newline byte only; other separators belong to the text. */
async function* splitLines(source: AsyncIterable<Uint8Array | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of source) {
    rest += typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    yield* lines.filter((line) => line.trim() !== '');
  }
  if (rest.trim() !== '') yield rest;
}

function parseLine(
  line: string,
): { message: HeadlessInput } | { message?: undefined; reason: string } {
  try {
    const given: unknown = JSON.parse(line);
    const result = inputSchema.safeParse(given);
    if (result.success) return { message: result.data };
    return { reason: `Input line not understood: ${describeIssue(result.error, given)}` };
  } catch {
    return { reason: 'Input line is not JSON.' };
  }
}
