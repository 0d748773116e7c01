import { join } from 'node:path';
import type { ContentPart } from '../../blocks.ts';
import { carryParts, isWebAddress, mediaTypeOf, textOfParts } from '../../hand-over/carry-parts.ts';
import type { CallOutcome, HandOverCall, ModelStep, PersonStep } from '../../hand-over/steps.ts';
import {
  dated,
  estimateTokens,
  handOverNote,
  type NewTranscript,
  type TranscriptWriter,
} from '../../hand-over/transcript-writer.ts';
import { uuidOf } from '../../hand-over/wire-names.ts';
import { COMMANDS } from './tool-ledger.ts';
import { toToolAnswer } from './tool-output.ts';

/**
 * `sessions/<year>/<month>/<day>/rollout-<local time>-<uuid>.jsonl`, in the format with items for the model
 * and events for the screen. The provider is left out, because Codex rejects one that differs from the user's.
 */
export const codexTranscriptWriter: TranscriptWriter = {
  contextTokens: 258_000,

  place({ id, now }, { home, environment }) {
    const root = environment.CODEX_HOME || join(home, '.codex');
    const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString();
    const [year = '', month = '', day = ''] = local.slice(0, 10).split('-');
    const name = `rollout-${local.slice(0, 19).replaceAll(':', '-')}-${id}.jsonl`;
    return Promise.resolve(join(root, 'sessions', year, month, day, name));
  },

  *lines(steps, session) {
    const rollout = new Rollout(session);
    yield rollout.line('session_meta', session.now.toISOString(), {
      id: session.id,
      timestamp: session.now.toISOString(),
      cwd: session.cwd,
      originator: 'robota',
      cli_version: FORMAT_VERSION,
      source: 'cli',
      handed_over: { from: session.origin.agent, session: session.origin.id },
    });
    const note = [{ type: 'input_text', text: handOverNote(session) }];
    yield rollout.item(session.now.toISOString(), message('developer', note));
    for (const step of steps) {
      if (step.role === 'summary') yield summaryLine(rollout, step.text, step.at);
      if (step.role === 'user') yield* userLines(rollout, step);
      if (step.role === 'assistant') yield* modelLines(rollout, step);
    }
    yield* rollout.endTurn(steps.at(-1)?.at ?? '');
    yield tokenCount(rollout, estimateTokens(steps));
  },
};

const FORMAT_VERSION = '0.166.0';

class Rollout {
  readonly session: NewTranscript;
  #turn: { readonly id: string; lastMessage: string | null } | undefined;
  #turns = 0;

  constructor(session: NewTranscript) {
    this.session = session;
  }

  line(type: string, at: string, payload: object): string {
    return JSON.stringify({ timestamp: dated(at, this.session), type, payload });
  }

  item(at: string, payload: object): string {
    return this.line('response_item', at, payload);
  }

  event(at: string, payload: object): string {
    return this.line('event_msg', at, payload);
  }

  /** A turn as shown on screen: a prompt and everything until the next. */
  *beginTurn(at: string): Iterable<string> {
    yield* this.endTurn(at);
    const id = uuidOf(`${this.session.id}:turn:${this.#turns++}`);
    this.#turn = { id, lastMessage: null };
    yield this.event(at, { type: 'task_started', turn_id: id, model_context_window: null });
  }

  setLastMessage(text: string): void {
    if (this.#turn) this.#turn.lastMessage = text;
  }

  *endTurn(at: string): Iterable<string> {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#turn = undefined;
    const { id: turnId, lastMessage: lastAgentMessage } = turn;
    yield this.event(at, {
      type: 'task_complete',
      turn_id: turnId,
      last_agent_message: lastAgentMessage,
    });
  }
}

function message(role: 'developer' | 'user' | 'assistant', content: readonly object[]): object {
  return { type: 'message', role, content };
}

function summaryLine(rollout: Rollout, text: string, at: string): string {
  const replacementHistory = [message('user', [{ type: 'input_text', text }])];
  return rollout.line('compacted', at, { message: text, replacement_history: replacementHistory });
}

function* userLines(rollout: Rollout, { parts, at }: PersonStep): Iterable<string> {
  const carried = carryImages(parts);
  yield* rollout.beginTurn(at);
  yield rollout.item(at, message('user', carried.map(inputPart)));
  yield rollout.event(at, {
    type: 'user_message',
    message: textOfParts(carried),
    images: carried.flatMap((part) => (part.type === 'image' ? [address(part)] : [])),
    local_images: [],
    text_elements: [],
  });
}

function* modelLines(rollout: Rollout, step: ModelStep): Iterable<string> {
  const calls: HandOverCall[] = [];
  for (const piece of step.pieces) {
    if (piece.type === 'call') {
      calls.push(piece.call);
      const { id: callId, name, input, at } = piece.call;
      const written = JSON.stringify(input);
      yield rollout.item(at, { type: 'function_call', name, arguments: written, call_id: callId });
    } else if (piece.type === 'thinking') {
      // Shown but never sent: the model only accepts reasoning encrypted by its vendor.
      yield rollout.event(piece.at, { type: 'agent_reasoning', text: piece.text });
    } else {
      const content = [{ type: 'output_text', text: piece.text }];
      yield rollout.event(piece.at, { type: 'agent_message', message: piece.text });
      yield rollout.item(piece.at, message('assistant', content));
      rollout.setLastMessage(piece.text);
    }
  }
  for (const { id: callId, name, result } of calls) {
    const output = outputOf(name, result);
    yield rollout.item(result.at, { type: 'function_call_output', call_id: callId, output });
  }
}

/** The format has no failure field; failure is recognised by the start of the output. */
function outputOf(name: string, result: CallOutcome): string | readonly object[] {
  const parts = carryImages(result.parts);
  if (parts.every(({ type }) => type === 'text')) {
    return COMMANDS.has(name)
      ? `Exit code: ${result.isError ? result.exitCode || 1 : 0}\nOutput:\n${textOfParts(parts)}`
      : markFailure(textOfParts(parts), result.isError);
  }
  const [first] = parts;
  const text = first?.type === 'text' ? first.text : '';
  const head = markFailure(text, result.isError);
  if (head === text) return parts.map(inputPart);
  const rest = first?.type === 'text' ? parts.slice(1) : parts;
  return [{ type: 'input_text', text: head }, ...rest.map(inputPart)];
}

function markFailure(text: string, isError: boolean): string {
  const answer = toToolAnswer(text);
  const isReadAsIs = answer.output === text && (answer.failed === true) === isError;
  if (isReadAsIs) return text;
  return isError ? `Error: ${text}` : `\u2060${text}`;
}

function carryImages(parts: readonly ContentPart[]): readonly ContentPart[] {
  return carryParts(parts, ({ type, source }) => {
    return type === 'image' && (source.type === 'base64' || isWebAddress(source));
  });
}

function inputPart(part: ContentPart): object {
  if (part.type === 'text') return { type: 'input_text', text: part.text };
  return { type: 'input_image', image_url: address(part) };
}

function address({ source }: Exclude<ContentPart, { type: 'text' }>): string {
  return source.type === 'url' ? source.data : `data:${mediaTypeOf(source)};base64,${source.data}`;
}

/** Without it the program would send a long history in full before it compacts. */
function tokenCount(rollout: Rollout, tokens: number): string {
  const usage = {
    input_tokens: tokens,
    cached_input_tokens: 0,
    output_tokens: 0,
    reasoning_output_tokens: 0,
    total_tokens: tokens,
  };
  const info = {
    total_token_usage: usage,
    last_token_usage: usage,
    model_context_window: null,
  };
  const count = { type: 'token_count', is_estimate: true, info, rate_limits: null };
  return rollout.event(rollout.session.now.toISOString(), count);
}
