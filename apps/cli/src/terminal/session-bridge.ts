import type { LiveSession, SessionView, SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { StreamEvent, ToolUseBlock } from '@robota-sdk/agent-transcript';
import { previewEdit } from './edit-preview.ts';
import type { ScreenAction } from './state/screen-action.ts';
import { turnEndOf } from './task-outcome.ts';

type Dispatch = (action: ScreenAction) => void;

/** The session if it accepts prompts; undefined if it is read-only. */
export function driven(session: SessionView | undefined): LiveSession | undefined {
  return session && 'submit' in session ? (session as LiveSession) : undefined;
}

/** Translates session events into screen actions, in order. */
export class SessionBridge {
  readonly #session: SessionView;
  readonly #dispatch: Dispatch;
  readonly #edits: EditWatch;
  /** Actions that arrive while the cost of an ended turn is fetched; emitted after the end of that turn. */
  #deferred: ScreenAction[] | undefined;
  /** Until then only notes are emitted: the conversation shown at opening contains the rest. */
  #isOpen = false;

  constructor(session: SessionView, dispatch: Dispatch) {
    this.#session = session;
    this.#dispatch = dispatch;
    this.#edits = new EditWatch(session.getCwd() ?? process.cwd(), (action) => this.#emit(action));
    for (const [name, listener] of entries(this.#listeners)) session.on(name, listener as never);
  }

  /** Starts emitting, beginning with the running turn, the queue and the open questions. */
  open(): void {
    this.#isOpen = true;
    const session = this.#session;
    const at = Date.now();
    if (session.isExecuting() && driven(session)) {
      this.#emit({ type: 'turn_began', messageId: undefined, at });
    }
    const prompts = driven(session)?.getQueue() ?? [];
    if (prompts.length > 0) this.#emit({ type: 'queue_changed', prompts, at });
    for (const question of session.getQuestions()) this.#listeners.question(question);
  }

  stop(): void {
    this.#isOpen = false;
    const session = this.#session;
    for (const [name, listener] of entries(this.#listeners)) session.off(name, listener as never);
  }

  #emit(action: ScreenAction): void {
    if (!this.#isOpen && action.type !== 'note') return;
    if (this.#deferred) this.#deferred.push(action);
    else this.#dispatch(action);
  }

  readonly #listeners = {
    stream_event: (event: StreamEvent) => {
      this.#edits.handle(event);
      this.#emit({ type: 'stream', event, at: Date.now() });
    },
    turn_start: ({ messageId }: { readonly messageId?: string | undefined }) =>
      this.#emit({ type: 'turn_began', messageId, at: Date.now() }),
    turn_end: (outcome: SubmitOutcome) => void this.#turnEnded(outcome),
    queue: (prompts: ReturnType<LiveSession['getQueue']>) =>
      this.#emit({ type: 'queue_changed', prompts, at: Date.now() }),
    question: (question: ReturnType<SessionView['getQuestions']>[number]) =>
      this.#emit({
        type: 'question_asked',
        question,
        diff: this.#edits.preview(question.toolName, question.input),
        at: Date.now(),
      }),
    question_resolved: ({ id, by }: { readonly id: string; readonly by?: string | undefined }) =>
      this.#emit({ type: 'question_resolved', id, by, at: Date.now() }),
    state: (changed: ChangedFacts) => this.#stateChanged(changed),
    context_update: (state: { readonly usedPercentage: number; readonly maxTokens: number }) =>
      this.#emit({
        type: 'status',
        facts: { contextPercentage: state.usedPercentage, contextTokens: state.maxTokens },
      }),
    notice: ({ kind, message }: { readonly kind: string; readonly message: string }) => {
      if (kind === 'not_saved') this.#dispatch({ type: 'status', facts: { isSaved: false } });
      // The conversation has a block for it, and the activity line shows it.
      if (kind === 'retry') return;
      const tone = kind === 'background' ? 'plain' : 'warning';
      this.#emit({ type: 'note', text: message, tone });
    },
    resync: (conversation: ReturnType<SessionView['getConversation']>) => {
      this.#emit({ type: 'resynced', conversation });
      // The turn may have ended while this client was disconnected.
      if (!this.#session.isExecuting()) this.#emit({ type: 'turn_ended', end: {}, at: Date.now() });
      const prompts = driven(this.#session)?.getQueue() ?? [];
      this.#emit({ type: 'queue_changed', prompts, at: Date.now() });
    },
  };

  #stateChanged({ model, permissionMode, name, access }: ChangedFacts): void {
    const facts = {
      ...(model !== undefined && { model }),
      ...(permissionMode !== undefined && { mode: permissionMode }),
      ...(name !== undefined && { sessionName: name }),
    };
    if (Object.keys(facts).length > 0) this.#emit({ type: 'status', facts });
    if (access !== 'lost') return;
    const text = 'Another process took over this session; it is read-only here.';
    this.#emit({ type: 'note', text, tone: 'warning' });
  }

  /** A turn that ends while the cost of the previous one is being fetched keeps its order and gets no price. */
  async #turnEnded(outcome: SubmitOutcome): Promise<void> {
    const end = turnEndOf(outcome);
    if (this.#deferred) {
      this.#emit({ type: 'turn_ended', end, at: Date.now() });
      return;
    }
    const deferred: ScreenAction[] = [];
    this.#deferred = deferred;
    const costUsd = await knownCost(this.#session);
    this.#deferred = undefined;
    this.#emit({ type: 'turn_ended', end: { ...end, costUsd }, at: Date.now() });
    for (const action of deferred) this.#emit(action);
  }
}

type ChangedFacts = {
  readonly model?: string | undefined;
  readonly permissionMode?: 'plan' | 'default' | 'acceptEdits' | 'bypassPermissions' | undefined;
  readonly name?: string | undefined;
  readonly access?: 'drive' | 'lost' | undefined;
};

/** The cost may come from a server; the screen waits no longer than this. */
const COST_TIMEOUT_MS = 1_000;

/** Undefined when no price is known. */
export async function knownCost(session: SessionView): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), COST_TIMEOUT_MS);
  });
  const costs = await Promise.race([session.getCosts().catch(() => undefined), late]);
  clearTimeout(timer);
  const known = (costs ?? []).flatMap(({ costUsd }) => costUsd ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}

/** Computes diffs right before files are changed: the old content is gone afterwards. */
class EditWatch {
  readonly #cwd: string;
  readonly #dispatch: Dispatch;
  readonly #calls = new Map<string, ToolUseBlock>();

  constructor(cwd: string, dispatch: Dispatch) {
    this.#cwd = cwd;
    this.#dispatch = dispatch;
  }

  handle(event: StreamEvent): void {
    if (event.type === 'block_start' && event.block.type === 'tool_use') {
      this.#calls.set(event.block.id, event.block);
    }
    if (event.type === 'block_complete') this.#calls.delete(event.blockId);
    if (event.type !== 'block_update') return;
    const call = this.#calls.get(event.blockId);
    if (!call || !('status' in event.updates) || event.updates.status !== 'running') return;
    const diff = this.preview(call.toolName, call.input);
    if (diff) this.#dispatch({ type: 'edit_begun', toolUseId: call.toolUseId, diff });
  }

  preview(toolName: string, input: ToolUseBlock['input']) {
    return previewEdit({ toolName, input, cwd: this.#cwd });
  }
}

function entries<Table extends object>(table: Table): [keyof Table, Table[keyof Table]][] {
  return Object.entries(table) as [keyof Table, Table[keyof Table]][];
}
