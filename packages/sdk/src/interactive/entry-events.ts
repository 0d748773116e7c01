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
  /** The folds at the time of asking; the first one has taken the entry in already. */
  readonly folds: () => { readonly fold: SessionFold; readonly blocks: BlocksFold };
}

/** They go to everybody who comes, so they stay few. */
const MOST_OPENING_NOTICES = 20;

/** Tells listeners, in spec 003's events and in stream events, what each entry of a session says. */
export class EntryEvents {
  readonly notices: SessionNotice[] = [];
  /** Those before the first prompt of this life. */
  readonly openingNotices: SessionNotice[] = [];
  readonly #parts: EntryEventsParts;
  #turn: OpenTurn | undefined;
  #sequence = 0;
  /** Tools ran since the last text, so the next one is a new paragraph. */
  #isNewParagraph = false;

  constructor(parts: EntryEventsParts) {
    this.#parts = parts;
  }

  /** The highest number of an entry that was told. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The running turn, or the last one. */
  get turn(): OpenTurn | undefined {
    return this.#turn;
  }

  notice(kind: string, message: string): void {
    // It may quote a tool, a server or a file, and is shown as it is.
    const notice = { kind, message: neutraliseEscapes(redactText(message)) };
    this.notices.push(notice);
    if (this.#turn === undefined && this.openingNotices.length < MOST_OPENING_NOTICES) {
      this.openingNotices.push(notice);
    }
    this.#parts.events.emit('notice', notice);
  }

  readonly hear = (entry: Entry): void => {
    const { events, folds } = this.#parts;
    // A subagent's entries have numbers of their own log; told here, they belong to the entry before.
    if (entry.thread === undefined) this.#sequence = Math.max(this.#sequence, entry.n);
    const changes = folds().blocks.apply(entry);
    if (events.hasListener('stream_event')) {
      for (const event of changes) events.emit('stream_event', event, this.#sequence);
    }
    if (entry.event === 'permission_request') this.#asked(entry);
    else if (entry.event === 'permission_resolved') this.#resolved(entry);
    else if (entry.thread === undefined) this.#take(entry);
  };

  #take(entry: Entry): void {
    const { events, folds } = this.#parts;
    switch (entry.event) {
      case 'provider_stream_raw_delta':
        this.#text(String(entry.delta));
        break;
      case 'prompt':
        this.#turn = folds().fold.state.turn ?? undefined;
        this.#isNewParagraph = false;
        break;
      case 'tool_call':
      case 'tool_execution_result':
        this.#tool(entry);
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

  #text(delta: string): void {
    const { events } = this.#parts;
    if (this.#isNewParagraph) events.emit('text_delta', '\n\n');
    this.#isNewParagraph = false;
    events.emit('text_delta', delta);
  }

  /** The timeline has just got an entry for the start or the end of the call, or both. */
  #tool(entry: Entry): void {
    const { events, folds } = this.#parts;
    const { timeline } = folds().fold.state;
    const told = timeline.slice(-2).filter(({ id }) => id.startsWith(`entry-${entry.n}-tool-`));
    for (const { type, data } of told) {
      const state = data as ToolState;
      if (type === 'tool-start') events.emit('tool_start', state);
      else {
        this.#isNewParagraph = this.#turn !== undefined && this.#turn.text !== '';
        events.emit('tool_end', state);
      }
    }
  }

  #asked(entry: Entry): void {
    const { events } = this.#parts;
    const request = requestOf(entry);
    if (request.kind === undefined) events.emit('permission_request', request);
    events.emit('question', questionOf(request, entry.thread));
  }

  #resolved({ requestId, answer, by }: Entry): void {
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

/** A wait that nobody explains looks like a hang. */
function retryText({ reason, waitMs, model }: Entry): string {
  if (typeof model === 'string') return `${String(reason)} Asking ${model} instead.`;
  return `${String(reason)} Trying again in ${Math.ceil(Number(waitMs) / 1000)} s.`;
}
