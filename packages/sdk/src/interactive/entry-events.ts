import type { ContextWindowState, PermissionMode } from '@robota-sdk/agent-core';
import type { Entry, OpenTurn, SessionFold, ToolState } from '@robota-sdk/agent-core/log';
import { redactText } from '@robota-sdk/agent-session';
import type { BlocksFold } from '@robota-sdk/agent-transcript';
import { neutraliseEscapes } from '@robota-sdk/agent-transcript/blocks';
import { questionOf } from '../live/engine-question.ts';
import type { EventHub } from './event-hub.ts';
import type { CompactionNotice, SessionNotice } from './events.ts';
import type { EngineQuestion, PermissionAnswer, PermissionRequest } from './permission-broker.ts';

export interface EntryEventsParts {
  readonly events: EventHub;
  /** The current folds; `fold` has already applied the entry being handled. */
  readonly folds: () => { readonly fold: SessionFold; readonly blocks: BlocksFold };
}

/** Limited because every client that connects receives them. */
const MAX_OPENING_NOTICES = 20;

/** Emits the session events and stream events of each entry. */
export class EntryEvents {
  readonly notices: SessionNotice[] = [];
  /** Notices before the first prompt since the session was opened. */
  readonly openingNotices: SessionNotice[] = [];
  readonly #parts: EntryEventsParts;
  #turn: OpenTurn | undefined;
  #sequence = 0;
  /** True when tools ran since the last text, so the next text starts a paragraph. */
  #isNewParagraph = false;

  constructor(parts: EntryEventsParts) {
    this.#parts = parts;
  }

  /** The highest entry number emitted so far. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The running turn, or the last one, including text not yet folded. */
  get turn(): OpenTurn | undefined {
    this.#parts.folds().fold.takeText();
    return this.#turn;
  }

  notice(kind: string, message: string): void {
    // The message may quote a tool, a server or a file, and terminals print it verbatim.
    const notice = { kind, message: neutraliseEscapes(redactText(message)) };
    this.notices.push(notice);
    if (this.#turn === undefined && this.openingNotices.length < MAX_OPENING_NOTICES) {
      this.openingNotices.push(notice);
    }
    this.#parts.events.emit('notice', notice);
  }

  readonly hear = (entry: Entry): void => {
    if (entry.event === 'provider_stream_raw_delta') this.#emitText(entry);
    else this.#handle(entry);
  };

  /** A subagent's entries are numbered by its own log, so they are emitted under the preceding number of this one. */
  #fold(entry: Entry, ownNumber: number): void {
    const { events, folds } = this.#parts;
    if (ownNumber > this.#sequence) this.#sequence = ownNumber;
    const { blocks } = folds();
    if (!events.hasStreamListener) blocks.take(entry);
    else
      for (const event of blocks.apply(entry)) events.emit('stream_event', event, this.#sequence);
  }

  #emitText(entry: Entry): void {
    const { n, thread, delta } = entry;
    this.#fold(entry, thread === undefined ? n : 0);
    if (thread !== undefined) return;
    const { events } = this.#parts;
    if (this.#isNewParagraph) events.emit('text_delta', '\n\n');
    this.#isNewParagraph = false;
    events.emit('text_delta', typeof delta === 'string' ? delta : String(delta));
  }

  #handle(entry: Entry): void {
    const { n, thread, event } = entry;
    this.#fold(entry, thread === undefined ? n : 0);
    if (event === 'permission_request') this.#emitQuestion(entry);
    else if (event === 'permission_resolved') this.#emitResolution(entry);
    else if (thread === undefined) this.#emit(entry);
  }

  #emit(entry: Entry): void {
    const { events, folds } = this.#parts;
    switch (entry.event) {
      case 'prompt':
        this.#turn = folds().fold.state.turn ?? undefined;
        this.#isNewParagraph = false;
        break;
      case 'tool_call':
      case 'tool_execution_result':
        this.#emitTool(entry);
        break;
      case 'context':
        events.emit('context_update', contextOf(entry));
        break;
      case 'context_compact':
        events.emit('compact', compactionOf(entry));
        break;
      case 'provider_retry':
        this.notice('retry', retryText(entry));
        break;
      case 'model_changed':
        events.emit('state', { model: String(entry.model) });
        break;
      case 'permission_mode_changed':
        events.emit('state', { permissionMode: entry.mode as PermissionMode });
        break;
      case 'session_renamed':
        events.emit('state', { name: String(entry.name) });
        break;
      case 'notice':
        this.notice(String(entry.kind ?? 'session'), String(entry.message));
        break;
      default:
    }
  }

  /** The fold has just added the start of the call, its end, or both to the timeline. */
  #emitTool(entry: Entry): void {
    const { events, folds } = this.#parts;
    const { timeline } = folds().fold.state;
    const added = timeline.slice(-2).filter(({ id }) => id.startsWith(`entry-${entry.n}-tool-`));
    for (const { type, data } of added) {
      const state = data as ToolState;
      if (type === 'tool-start') events.emit('tool_start', state);
      else {
        this.#isNewParagraph = this.#turn !== undefined && this.#turn.text !== '';
        events.emit('tool_end', state);
      }
    }
  }

  #emitQuestion(entry: Entry): void {
    const { events } = this.#parts;
    const request = requestOf(entry);
    if (request.kind === undefined) events.emit('permission_request', request);
    events.emit('question', questionOf(request, entry.thread));
  }

  #emitResolution({ requestId, answer, by }: Entry): void {
    const { events } = this.#parts;
    const given = answer as PermissionAnswer;
    const who = typeof by === 'string' ? { by } : {};
    const id = String(requestId);
    events.emit('permission_resolved', { requestId: id, answer: given, ...who });
    const how = by === 'abort' ? 'expired' : 'answered';
    events.emit('question_resolved', { id, how, answer: given, ...who });
  }
}

export function requestOf(entry: Entry): EngineQuestion {
  const { requestId, toolName, toolArgs, toolCallId, explanation, kind, fields } = entry;
  return {
    requestId: String(requestId),
    toolName: String(toolName),
    toolArgs: (toolArgs ?? {}) as PermissionRequest['toolArgs'],
    ...(typeof toolCallId === 'string' && { toolCallId }),
    ...(explanation !== undefined && {
      explanation: explanation as NonNullable<PermissionRequest['explanation']>,
    }),
    ...(kind !== undefined && { kind: kind as NonNullable<EngineQuestion['kind']> }),
    ...(fields !== undefined && { fields: fields as NonNullable<EngineQuestion['fields']> }),
  };
}

function contextOf(entry: Entry): ContextWindowState {
  const { n: _n, time: _time, event: _event, ...state } = entry;
  return state as unknown as ContextWindowState;
}

function compactionOf({ trigger, before, after }: Entry): CompactionNotice {
  return { trigger, before, after } as CompactionNotice;
}

/** Shown because an unexplained wait looks like a hang. */
function retryText({ reason, waitMs, model }: Entry): string {
  if (typeof model === 'string') return `${String(reason)} Asking ${model} instead.`;
  return `${String(reason)} Trying again in ${Math.ceil(Number(waitMs) / 1000)} s.`;
}
