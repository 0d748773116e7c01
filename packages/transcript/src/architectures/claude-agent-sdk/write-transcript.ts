import { join } from 'node:path';
import type { ContentPart } from '../../blocks.ts';
import { carryParts, isWebAddress, mediaTypeOf } from '../../hand-over/carry-parts.ts';
import type { HandOverCall, ModelStep, PersonStep } from '../../hand-over/steps.ts';
import {
  dated,
  estimateTokens,
  handOverNote,
  type NewTranscript,
  type TranscriptWriter,
} from '../../hand-over/transcript-writer.ts';
import { uuidOf } from '../../hand-over/wire-names.ts';
import { readUserMarker } from './user-markers.ts';

/**
 * `<config>/projects/<cwd>/<uuid>.jsonl`: one chain of lines, one block each. Thinking is left out: without the
 * vendor's signature the API would reject it.
 */
export const claudeTranscriptWriter: TranscriptWriter = {
  contextTokens: 200_000,

  place({ id, cwd }, { home, environment }) {
    const root = environment.CLAUDE_CONFIG_DIR || join(home, '.claude');
    const project = cwd.replace(/[^A-Za-z0-9]/g, '-').slice(0, MAX_FOLDER_LENGTH);
    return Promise.resolve(join(root, 'projects', project, `${id}.jsonl`));
  },

  *lines(steps, session) {
    const chain = new LineChain(session);
    const last = steps.findLastIndex(({ role }) => role === 'assistant');
    const [first] = steps;
    if (first?.role === 'summary') yield* summaryLines(chain, first.text, first.at);
    yield chain.line('user', session.now.toISOString(), {
      isMeta: true,
      handedOver: { from: session.origin.agent, session: session.origin.id },
      message: { role: 'user', content: handOverNote(session) },
    });
    for (const [index, step] of steps.entries()) {
      if (step.role === 'user') yield userLine(chain, step);
      if (step.role !== 'assistant') continue;
      // The program decides on compaction by its last request, so the last line carries the estimated size.
      const tokens = index === last ? estimateTokens(steps) : 0;
      yield* modelLines(chain, step, { index, tokens });
    }
  },
};

const MAX_FOLDER_LENGTH = 200;

/** Links each line to the previous one; unlinked lines would not be read. */
class LineChain {
  readonly session: NewTranscript;
  model = 'unknown';
  #parent: string | null = null;
  #count = 0;

  constructor(session: NewTranscript) {
    this.session = session;
  }

  line(type: 'user' | 'assistant' | 'system', at: string, fields: object): string {
    const uuid = uuidOf(`${this.session.id}:${this.#count++}`);
    const line = JSON.stringify({
      parentUuid: this.#parent,
      isSidechain: false,
      userType: 'external',
      cwd: this.session.cwd,
      sessionId: this.session.id,
      version: FORMAT_VERSION,
      type,
      ...fields,
      uuid,
      timestamp: dated(at, this.session),
    });
    this.#parent = uuid;
    return line;
  }
}

/** The version of the program whose format is written. */
const FORMAT_VERSION = '2.1.325';

function* summaryLines(chain: LineChain, text: string, at: string): Iterable<string> {
  yield chain.line('system', at, {
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    isMeta: false,
    level: 'info',
    compactMetadata: { trigger: 'manual', preTokens: 0 },
  });
  yield chain.line('user', at, {
    isCompactSummary: true,
    isVisibleInTranscriptOnly: true,
    message: { role: 'user', content: text },
  });
}

function userLine(chain: LineChain, { parts, at }: PersonStep): string {
  const content = nativeParts(parts);
  const text = onlyText(content);
  const escaped = text === undefined ? content : escapeMarker(text);
  return chain.line('user', at, { message: { role: 'user', content: escaped } });
}

/** Escapes a user message that looks like a note of the program, which would not be read as the user's. */
function escapeMarker(text: string): string {
  return readUserMarker(text) === undefined ? text : `\u2060${text}`;
}

function* modelLines(
  chain: LineChain,
  step: ModelStep,
  { index, tokens }: { readonly index: number; readonly tokens: number },
): Iterable<string> {
  chain.model = step.model ?? chain.model;
  const id = `msg_${uuidOf(`${chain.session.id}:message:${index}`).replaceAll('-', '')}`;
  const calls: HandOverCall[] = [];
  for (const piece of step.pieces) {
    if (piece.type === 'thinking') continue;
    if (piece.type === 'call') calls.push(piece.call);
    const content =
      piece.type === 'call'
        ? { type: 'tool_use', id: piece.call.id, name: piece.call.name, input: piece.call.input }
        : { type: 'text', text: piece.text };
    yield chain.line('assistant', piece.type === 'call' ? piece.call.at : piece.at, {
      // No request was made for these messages, so they cost nothing.
      usageIsEstimate: true,
      message: {
        id,
        type: 'message',
        role: 'assistant',
        model: chain.model,
        content: [content],
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: tokens, output_tokens: 0 },
      },
    });
  }
  for (const call of calls) yield resultLine(chain, call);
}

function resultLine(chain: LineChain, { id, result }: HandOverCall): string {
  const parts = nativeParts(result.parts);
  const content = parts.length === 0 ? '' : (onlyText(parts) ?? parts);
  const answer = { type: 'tool_result', tool_use_id: id, content };
  const part = result.isError ? { ...answer, is_error: true } : answer;
  return chain.line('user', result.at, { message: { role: 'user', content: [part] } });
}

function onlyText(parts: readonly NativePart[]): string | undefined {
  const [only] = parts;
  return parts.length === 1 && typeof only?.text === 'string' ? only.text : undefined;
}

type NativePart = Readonly<Record<string, unknown>>;

function nativeParts(parts: readonly ContentPart[]): readonly NativePart[] {
  return carryParts(parts, ({ source, type }) =>
    source.type === 'url' ? isWebAddress(source) : source.type === 'base64' || type === 'document',
  ).map((part) => {
    if (part.type === 'text') return { type: 'text', text: part.text };
    const source = nativeSource(part);
    return part.type === 'document' && part.title !== undefined
      ? { type: part.type, source, title: part.title }
      : { type: part.type, source };
  });
}

function nativeSource({ type, source }: Exclude<ContentPart, { type: 'text' }>): NativePart {
  if (source.type === 'url') return { type: 'url', url: source.data };
  const fallback = type === 'document' ? 'application/pdf' : mediaTypeOf(source);
  const mediaType = source.type === 'text' ? 'text/plain' : (source.mediaType ?? fallback);
  return { type: source.type, media_type: mediaType, data: source.data };
}
