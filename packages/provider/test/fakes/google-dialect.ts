import type { Dialect, FakeReply } from './dialect.ts';
import type { SeenRequest, WireEvent } from './fake-vendor.ts';

type Part = Record<string, unknown>;
interface Content {
  readonly role: string;
  readonly parts: readonly Part[];
}

/** `streamGenerateContent?alt=sse` of the Generative Language API, with thought signatures as Gemini 3 has them. */
export const googleDialect: Dialect = {
  streamsArguments: false,
  headers: { 'x-goog-request-id': 'req_fake' },
  events: (reply) => [...opening(reply), closing()],
  unfinished: opening,
  errorEvent: {
    data: JSON.stringify({
      error: { code: 503, message: 'The model is overloaded', status: 'UNAVAILABLE' },
    }),
  },
  errorBody: (status, message) => ({
    error: { code: status, message, status: STATUS_NAMES[status] ?? 'INTERNAL' },
  }),
  refuse,
  conversation: (body) => body.contents as Content[],
};

const STATUS_NAMES: Record<number, string> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  404: 'NOT_FOUND',
  429: 'RESOURCE_EXHAUSTED',
  529: 'UNAVAILABLE',
};

function chunk(parts: readonly Part[], rest: Part = {}): WireEvent {
  return {
    data: JSON.stringify({
      candidates: [{ index: 0, content: { role: 'model', parts }, ...rest }],
      usageMetadata: USAGE,
      modelVersion: 'gemini-fake',
      responseId: 'resp_fake',
    }),
  };
}

const USAGE = {
  promptTokenCount: 240,
  cachedContentTokenCount: 200,
  candidatesTokenCount: 30,
  thoughtsTokenCount: 12,
  totalTokenCount: 282,
};

function opening(reply: FakeReply): WireEvent[] {
  const thoughts = reply.thinking ?? [];
  return [
    ...thoughts.map((text) => chunk([{ text, thought: true }])),
    ...(reply.text ?? []).map((text, index) =>
      chunk([{ text, ...(thoughts.length > 0 && index === 0 ? SIGNED : {}) }]),
    ),
    ...(reply.calls ?? [])
      .filter((call) => call.pieces.join('').endsWith('}'))
      .map((call, index) => {
        const args = JSON.parse(call.pieces.join('')) as Part;
        const functionCall = { id: call.id, name: call.name, args };
        return chunk([{ functionCall, ...(index === 0 ? SIGNED : {}) }]);
      }),
  ];
}

const SIGNED = { thoughtSignature: 'signature-of-the-vendor' };

function closing(): WireEvent {
  return chunk([{ text: '' }], { finishReason: 'STOP' });
}

function refuse({ path, headers, body }: SeenRequest): string | undefined {
  if (!/^\/v1beta\/models\/[\w.-]+:streamGenerateContent\?alt=sse$/.test(path)) {
    return `unknown path ${path}`;
  }
  if (!headers['x-goog-api-key']) return 'no credentials';
  const contents = body.contents as Content[];
  const faults = [
    contents[0]?.role !== 'user' && 'the first content must come from the user',
    contents.some((content) => content.parts.length === 0) && 'parts must not be empty',
    contents.some((content, index) => !isPaired(contents, content, index)) &&
      'the number of function response parts must equal the number of function call parts',
    contents.some((content, index) => !hasSignature(contents, content, index)) &&
      'Function call is missing a thought_signature',
    contents.some((content) => content.parts.some(isOddCall)) && 'args must be an object',
  ];
  return faults.find((fault) => typeof fault === 'string') || undefined;
}

function count(content: Content | undefined, kind: string): number {
  return (content?.parts ?? []).filter((part) => part[kind] !== undefined).length;
}

function isPaired(contents: readonly Content[], content: Content, index: number): boolean {
  const answers = count(contents[index + 1], 'functionResponse');
  if (count(content, 'functionCall') !== answers) return false;
  return index > 0 || count(content, 'functionResponse') === 0;
}

/** The first call of a step must have the signature, in the current turn. */
function hasSignature(contents: readonly Content[], content: Content, index: number): boolean {
  const turnStart = contents.findLastIndex(
    (other) => other.role === 'user' && count(other, 'functionResponse') === 0,
  );
  const firstCall = content.parts.find((part) => part.functionCall !== undefined);
  return index < turnStart || !firstCall || typeof firstCall.thoughtSignature === 'string';
}

function isOddCall(part: Part): boolean {
  const call = part.functionCall as { args?: unknown } | undefined;
  return call !== undefined && (typeof call.args !== 'object' || Array.isArray(call.args));
}
