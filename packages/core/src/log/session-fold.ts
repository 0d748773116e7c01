import type { ContextWindowState } from '../context/context-window-state.ts';
import type { HistoryEntry } from '../messages/history-entry.ts';
import type { AssistantMessage, Message } from '../messages/message.ts';
import { endCall, foldQuestion, requestCall, startCall } from './call-fold.ts';
import { countRequests } from './count-requests.ts';
import type { EndedBy, Entry } from './entry.ts';
import { type HistoryChange, HistoryFold, isMessage } from './history-fold.ts';
import {
  foldClear,
  foldCompaction,
  foldFilesChanged,
  foldNewPrompt,
  foldPinned,
  foldRewindUndone,
  foldRewound,
  foldUncompacted,
  foldUnpinned,
  keepTakenBack,
  placePrompts,
  putBack,
} from './rewind-fold.ts';
import {
  emptySessionState,
  type OpenTurn,
  type SessionState,
  type TurnEnd,
  type TurnUsage,
} from './session-state.ts';
import { chatEntry, eventEntry } from './timeline-entry.ts';
import { summarizeTool } from './tool-state.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Folds entries into the state of a session; the same fold serves live sessions, crash recovery and other processes.
 * The cost of one entry does not depend on the length of the session.
 */
export class SessionFold {
  readonly #state: SessionState;
  #history: HistoryFold<Message>;
  /** Deltas of one round that are not in the state yet: deltas are frequent, reads of the state are rare. */
  #pieces: string[] = [];
  #firstPiece: Entry | undefined;

  /** Continues from the state of a checkpoint, which is modified in place. */
  constructor(state: SessionState = emptySessionState()) {
    this.#state = state;
    this.#history = new HistoryFold(state);
  }

  /** A live object; copy it to keep it. */
  get state(): Readonly<SessionState> {
    this.takeText();
    const { epoch, messages, hasSystem } = this.#history;
    this.#state.epoch = epoch;
    this.#state.messages = messages;
    this.#state.hasSystem = hasSystem;
    return this.#state;
  }

  get history(): HistoryFold<Message> {
    return this.#history;
  }

  apply(entry: Entry): void {
    // Deltas first: `thread` is found fast only on entries with the same object shape.
    if (entry.event === 'provider_stream_raw_delta') this.#text(entry);
    else if (entry.thread !== undefined) foldQuestion(this.#state, entry);
    else this.#fold(entry);
  }

  #fold(entry: Entry): void {
    if (entry.n > this.#state.n) this.#state.n = entry.n;
    this.#state.updatedAt = entry.time;
    countRequests(this.#state, entry);
    const handle = this.#handlers[entry.event];
    if (handle === undefined) return;
    this.takeText();
    handle(entry);
  }

  readonly #handlers: Readonly<Record<string, (entry: Entry) => void>> = {
    session_init: (entry) => this.#init(entry),
    session_restored: (entry) => this.#restore(entry),
    session_renamed: (entry) => this.#rename(entry),
    model_changed: (entry) => this.#changeModel(entry),
    permission_mode_changed: (entry) => this.#changeMode(entry),
    context: (entry) => this.#context(entry),
    context_compact: (entry) => this.#context(entry),
    prompt: (entry) => this.#prompt(entry),
    user: (entry) => this.#user(entry),
    turn_end: (entry) => this.#endTurn(entry),
    assistant: (entry) => this.#endOldTurn(entry),
    error: (entry) => this.#endOldTurn(entry),
    provider_request: (entry) => this.#request(entry),
    provider_retry: () => this.#retry(),
    provider_thinking_delta: (entry) => this.#thinking(entry),
    tool_execution_request: (entry) => requestCall(this.#state, entry),
    tool_call: (entry) => startCall(this.#state, entry),
    tool_execution_result: (entry) => endCall(this.#state, entry),
    shell_line: (entry) => this.#startShellLine(entry),
    permission_request: (entry) => foldQuestion(this.#state, entry),
    permission_resolved: (entry) => foldQuestion(this.#state, entry),
    history_mutation: (entry) => this.#mutate(entry),
    history_entry: (entry) => this.#addHistoryEntry(entry),
    files_changed: (entry) => foldFilesChanged(this.#state, entry),
    rewound: (entry) => foldRewound(this.#state, entry),
    rewind_undone: (entry) => foldRewindUndone(this.#state, entry),
    uncompacted: () => foldUncompacted(this.#state),
    pinned: (entry) => foldPinned(this.#state, entry),
    unpinned: (entry) => foldUnpinned(this.#state, entry),
    background_task_event: (entry) => this.#backgroundTask(entry),
    background_job_group_event: (entry) => this.#backgroundGroup(entry),
    memory_event: (entry) => this.#memory(entry),
  };

  // Session

  #init(entry: Entry): void {
    const state = this.#state;
    const { sessionId, cwd, model, provider, systemPrompt, toolSchemas } = entry as Fields;
    const { permissionMode } = entry as Fields;
    if (state.createdAt === 0) state.createdAt = entry.time;
    if (typeof sessionId === 'string' && sessionId !== '') state.sessionId ||= sessionId;
    if (typeof cwd === 'string') state.cwd ||= cwd;
    if (typeof model === 'string') state.model = model;
    if (typeof provider === 'string') state.provider = provider;
    if (typeof permissionMode === 'string') state.permissionMode = permissionMode;
    if (typeof systemPrompt === 'string') state.systemPrompt = systemPrompt;
    if (Array.isArray(toolSchemas)) state.toolSchemas = toolSchemas;
  }

  /** The state of another session, or this one's from its record, becomes the start of this log. */
  #restore(entry: Entry): void {
    const { createdAt, sessionId, cwd } = this.#state;
    const restored = entry.state as SessionState | undefined;
    if (!Array.isArray(restored?.messages)) return;
    Object.assign(this.#state, emptySessionState(), structuredClone(restored), {
      n: entry.n,
      updatedAt: entry.time,
      sessionId: sessionId || restored.sessionId,
      cwd: cwd || restored.cwd,
      createdAt: createdAt || entry.time,
      // Their entries are in another log.
      compactions: [],
    });
    const { epoch } = this.#history;
    const { messages, hasSystem } = restored;
    this.#history = new HistoryFold({ epoch: epoch + 1, messages, hasSystem: hasSystem === true });
  }

  #rename({ name }: Fields): void {
    if (typeof name === 'string') this.#state.name = name;
  }

  #changeModel({ model, provider }: Fields): void {
    if (typeof model === 'string') this.#state.model = model;
    if (typeof provider === 'string') this.#state.provider = provider;
  }

  #changeMode({ mode }: Fields): void {
    if (typeof mode === 'string') this.#state.permissionMode = mode;
  }

  #context(entry: Entry): void {
    const context = (entry.after ?? entry) as unknown as ContextWindowState;
    if (typeof context.usedTokens !== 'number') return;
    const { maxTokens, usedTokens, usedPercentage, remainingPercentage } = context;
    this.#state.context = { maxTokens, usedTokens, usedPercentage, remainingPercentage };
  }

  // Turns

  #prompt(entry: Entry): void {
    this.#endAbandonedTurn(entry);
    foldNewPrompt(this.#state);
    this.#state.turn = newTurn(entry.n);
    const display = String(entry.display ?? '');
    this.#state.timeline.push(chatEntry(entry, { role: 'user', content: display }));
  }

  /** Logs of version 0.1 have neither `prompt` nor `turn_end`: there a turn lasts from `user` to its answer. */
  #user(entry: Entry): void {
    const { turn } = this.#state;
    if (turn && !turn.isSent) {
      turn.isSent = true;
      return;
    }
    this.#prompt({ ...entry, display: entry.content });
    if (this.#state.turn) Object.assign(this.#state.turn, { isSent: true, isOld: true });
  }

  #endOldTurn(entry: Entry): void {
    const { turn } = this.#state;
    if (!turn?.isOld) return;
    const isFailed = entry.event === 'error';
    const { message } = entry;
    this.#endTurn({
      ...entry,
      status: isFailed ? 'failed' : 'completed',
      endedBy: isFailed ? 'error' : 'answer',
      ...(isFailed && { message }),
    });
  }

  #endTurn(entry: Entry): void {
    const { status, endedBy, message } = entry as Fields & Partial<TurnEnd>;
    const state = this.#state;
    const { turn } = state;
    if (turn) this.#summarize(turn, entry);
    if (turn?.reply) state.timeline.push(turn.reply);
    if (status === 'interrupted') this.#system(entry, 'Interrupted by user.');
    if (status === 'failed') this.#system(entry, `Error: ${String(message)}`);
    const usage = turn && this.turnUsage(turn);
    if (status === 'completed' && usage) {
      state.timeline.push(eventEntry(entry, 'usage-summary', usage));
    }
    if (status === 'completed') state.answers += 1;
    state.lastTurn = {
      status: status ?? 'failed',
      endedBy: (endedBy ?? 'error') as EndedBy,
      ...(typeof message === 'string' && { message }),
    };
    state.turn = null;
  }

  /** Token usage of the turn so far; undefined when the provider reported none. */
  turnUsage({ usage }: Pick<OpenTurn, 'usage'>): TurnUsage | undefined {
    if (usage === undefined) return undefined;
    const { context } = this.#state;
    return {
      kind: 'exact',
      scope: 'turn',
      promptTokens: usage.inputTokens,
      completionTokens: usage.outputTokens,
      totalTokens: usage.inputTokens + usage.outputTokens,
      contextUsedTokens: context?.usedTokens ?? 0,
      contextMaxTokens: context?.maxTokens ?? 0,
      contextUsedPercentage: context?.usedPercentage ?? 0,
      costStatus: 'unknown',
    };
  }

  /** A killed process writes no `turn_end`; the next prompt ends the turn. */
  #endAbandonedTurn(entry: Entry): void {
    const { turn } = this.#state;
    if (turn === null) return;
    this.#summarize(turn, entry);
    if (turn.reply) this.#state.timeline.push(turn.reply);
  }

  #summarize({ finished }: OpenTurn, entry: Entry): void {
    if (finished.length === 0) return;
    const summary = finished.map((tool) => `${tool.toolName}(${tool.firstArg})`).join('\n');
    const data = { toolSummaries: finished.map(summarizeTool), tools: [...finished], summary };
    this.#state.timeline.push(eventEntry(entry, 'tool-summary', data));
  }

  #system(entry: Entry, content: string): void {
    this.#state.timeline.push(chatEntry(entry, { role: 'system', content }));
  }

  // Streamed text

  #text(entry: Entry): void {
    const { n, time, thread, executionId, round, delta } = entry;
    if (thread !== undefined) return;
    if (n > this.#state.n) this.#state.n = n;
    this.#state.updatedAt = time;
    const first = this.#firstPiece;
    if (first?.executionId !== executionId || first?.round !== round) this.takeText();
    this.#firstPiece ??= entry;
    this.#pieces.push(typeof delta === 'string' ? delta : String(delta));
  }

  /** Moves collected deltas into the state; reading `state` does so too. */
  takeText(): void {
    const first = this.#firstPiece;
    if (first === undefined) return;
    const text = this.#pieces.join('');
    this.#firstPiece = undefined;
    this.#pieces = [];
    const { turn } = this.#state;
    if (turn === null) return;
    if (turn.isNewParagraph) turn.text += '\n\n';
    turn.isNewParagraph = false;
    turn.text += text;
    const round = this.#round(turn, first);
    if (round) round.text += text;
  }

  #thinking(entry: Entry): void {
    const { turn } = this.#state;
    const round = turn && this.#round(turn, entry);
    if (round) round.thinking += String((entry as Fields).delta);
  }

  #request({ cause }: Fields): void {
    if (cause === undefined) this.#state.calls = {};
  }

  /** The text of the failed attempt is discarded. */
  #retry(): void {
    const { turn } = this.#state;
    if (turn) turn.round = undefined;
  }

  #round(turn: OpenTurn, entry: Entry): OpenTurn['round'] {
    const { executionId, round } = entry as Fields;
    if (typeof executionId !== 'string' || typeof round !== 'number') return undefined;
    if (turn.round?.executionId !== executionId || turn.round.round !== round) {
      turn.round = { executionId, round, text: '', thinking: '' };
    }
    return turn.round;
  }

  /** It becomes part of the conversation when it ends. */
  #startShellLine({ id, command }: Fields): void {
    this.#state.shellLine = { id: String(id), command: String(command) };
  }

  // The conversation

  #mutate(entry: Entry): void {
    const { mutation, message } = entry as Fields & { readonly message?: Message | null };
    if (mutation === 'append_message' || mutation === 'inject_message') {
      if (isMessage(message)) this.#append(entry, message);
      return;
    }
    const before = this.#history.messages;
    this.#history.apply(entry as HistoryChange<Message>);
    const { messages } = this.#history;
    const state = this.#state;
    if (mutation === 'clear') foldClear(state);
    if (mutation === 'replace_all') foldCompaction(state, entry);
    keepTakenBack(state, before, messages);
    putBack(state);
    if (mutation === 'truncate') this.#truncateTimeline();
    else placePrompts(state, messages);
    if (mutation === 'set_system_message') {
      if (message) state.systemPrompt = String(message.content);
      else delete state.systemPrompt;
    }
  }

  #append(entry: Entry, message: Message): void {
    const { index } = entry as Fields;
    const before = this.#history.messages.length;
    this.#history.apply(entry as HistoryChange<Message>);
    if (typeof index === 'number' && index < before) this.#truncateTimeline();
    if (message.metadata?.shellCallId !== undefined) delete this.#state.shellLine;
    if (message.role === 'user') this.#appendPrompt(entry, message);
    if (message.role === 'assistant') this.#appendReply(entry, message);
    if (message.role === 'tool') this.#settleCall(message.toolCallId);
    if (message.role === 'system') this.#state.timeline.push(chatEntry(entry, message));
  }

  #appendPrompt(entry: Entry, message: Message): void {
    const { turn, timeline, prompts } = this.#state;
    const isPrompt = turn !== null && entry.mutation === 'append_message';
    if (!isPrompt) timeline.push(chatEntry(entry, message));
    const at = timeline.findLastIndex(
      ({ category, type }) => category === 'chat' && type === 'user',
    );
    prompts.push({
      id: message.id,
      index: this.#history.messages.length - 1,
      timeline: at,
      files: this.#state.files.length,
    });
  }

  /** Text before a tool call appears in place; the final reply goes after the summary of the turn's tools. */
  #appendReply(entry: Entry, message: AssistantMessage): void {
    const { turn, timeline } = this.#state;
    if (turn) turn.round = undefined;
    if (!message.content) return;
    const reply = chatEntry(entry, message);
    if (!turn || message.toolCalls?.length) timeline.push(reply);
    else {
      if (turn.reply) timeline.push(turn.reply);
      turn.reply = reply;
    }
  }

  #settleCall(toolCallId: string): void {
    delete this.#state.calls[toolCallId];
  }

  /** Cuts the timeline at the first prompt that is no longer in the conversation. */
  #truncateTimeline(): void {
    const { prompts, timeline } = this.#state;
    const kept = this.#history.messages.length;
    const gone = prompts.findIndex(({ index }) => index >= kept);
    if (gone < 0) return;
    this.#state.prompts = prompts.slice(0, gone);
    this.#state.timeline = timeline.slice(0, prompts[gone]?.timeline);
  }

  #addHistoryEntry({ entry }: Fields): void {
    this.#state.timeline.push(entry as HistoryEntry);
  }

  // Events of other packages

  #backgroundTask(entry: Entry): void {
    this.#state.backgroundTaskEvents.push((entry as Fields).backgroundEvent ?? entry);
  }

  #backgroundGroup(entry: Entry): void {
    this.#state.backgroundJobGroupEvents.push((entry as Fields).backgroundEvent ?? entry);
  }

  #memory(entry: Entry): void {
    this.#state.memoryEvents.push((entry as Fields).memoryEvent ?? entry);
  }
}

function newTurn(n: number): OpenTurn {
  return { n, isSent: false, text: '', isNewParagraph: false, tools: [], finished: [] };
}
