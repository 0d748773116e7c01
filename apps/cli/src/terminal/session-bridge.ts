import type { LiveSession, SessionView, SubmitOutcome } from '@robota-sdk/agent-sdk';
import type { StreamEvent, ToolUseBlock } from '@robota-sdk/agent-transcript';
import { previewEdit } from './edit-preview.ts';
import type { ScreenAction } from './state/screen-action.ts';
import { turnEndOf } from './task-outcome.ts';

type Dispatch = (action: ScreenAction) => void;

/** A session that can be asked something; undefined for one that is only looked at. */
export function driven(session: SessionView | undefined): LiveSession | undefined {
  return session && 'submit' in session ? (session as LiveSession) : undefined;
}

/** Tells the screen what happens in a session, in order. */
export class SessionBridge {
  readonly #session: SessionView;
  readonly #dispatch: Dispatch;
  readonly #edits: EditWatch;
  /** What happened while the cost of a turn was asked for; it is told behind the end of that turn. */
  #held: ScreenAction[] | undefined;
  /** What happened before the conversation was shown. */
  #isOpen = false;

  constructor(session: SessionView, dispatch: Dispatch) {
    this.#session = session;
    this.#dispatch = dispatch;
    this.#edits = new EditWatch(session.getCwd() ?? process.cwd(), (action) => this.#tell(action));
    for (const [name, listener] of entries(this.#listeners)) session.on(name, listener as never);
  }

  /** From now on: what runs, waits and is asked already comes first. */
  open(): void {
    this.#isOpen = true;
    const session = this.#session;
    const at = Date.now();
    if (session.isExecuting() && driven(session)) {
      this.#tell({ type: 'turn_began', messageId: undefined, at });
    }
    const prompts = driven(session)?.getQueue() ?? [];
    if (prompts.length > 0) this.#tell({ type: 'queue_told', prompts, at });
    for (const question of session.getQuestions()) this.#listeners.question(question);
  }

  stop(): void {
    const session = this.#session;
    for (const [name, listener] of entries(this.#listeners)) session.off(name, listener as never);
  }

  #tell(action: ScreenAction): void {
    // What came before is in the conversation that is shown when it opens.
    if (!this.#isOpen && action.type !== 'note') return;
    if (this.#held) this.#held.push(action);
    else this.#dispatch(action);
  }

  readonly #listeners = {
    stream_event: (event: StreamEvent) => {
      this.#edits.see(event);
      this.#tell({ type: 'stream', event, at: Date.now() });
    },
    turn_start: ({ messageId }: { readonly messageId?: string | undefined }) =>
      this.#tell({ type: 'turn_began', messageId, at: Date.now() }),
    turn_end: (outcome: SubmitOutcome) => void this.#turnEnded(outcome),
    queue: (prompts: ReturnType<LiveSession['getQueue']>) =>
      this.#tell({ type: 'queue_told', prompts, at: Date.now() }),
    question: (question: ReturnType<SessionView['getQuestions']>[number]) =>
      this.#tell({
        type: 'question_asked',
        question,
        diff: this.#edits.preview(question.toolName, question.input),
        at: Date.now(),
      }),
    question_resolved: ({ id, by }: { readonly id: string; readonly by?: string | undefined }) =>
      this.#tell({ type: 'question_resolved', id, by, at: Date.now() }),
    state: (changed: ChangedFacts) => this.#stateChanged(changed),
    context_update: (state: { readonly usedPercentage: number; readonly maxTokens: number }) =>
      this.#tell({
        type: 'status',
        facts: { contextPercentage: state.usedPercentage, contextTokens: state.maxTokens },
      }),
    notice: ({ kind, message }: { readonly kind: string; readonly message: string }) => {
      if (kind === 'not_saved') this.#dispatch({ type: 'status', facts: { isSaved: false } });
      // The conversation has a block for it, and the line of what runs shows it.
      if (kind === 'retry') return;
      const tone = kind === 'background' ? 'plain' : 'warning';
      this.#tell({ type: 'note', text: message, tone });
    },
    resync: (conversation: ReturnType<SessionView['getConversation']>) => {
      this.#tell({ type: 'resynced', conversation });
      // A turn may have ended while nobody here could hear of it.
      if (!this.#session.isExecuting()) this.#tell({ type: 'turn_ended', end: {}, at: Date.now() });
      const prompts = driven(this.#session)?.getQueue() ?? [];
      this.#tell({ type: 'queue_told', prompts, at: Date.now() });
    },
  };

  #stateChanged({ model, permissionMode, name, access }: ChangedFacts): void {
    const facts = {
      ...(model !== undefined && { model }),
      ...(permissionMode !== undefined && { mode: permissionMode }),
      ...(name !== undefined && { sessionName: name }),
    };
    if (Object.keys(facts).length > 0) this.#tell({ type: 'status', facts });
    if (access !== 'lost') return;
    const text = 'Another process took over this session; it is read-only here.';
    this.#tell({ type: 'note', text, tone: 'warning' });
  }

  /** A turn that ends while the cost of the one before is asked for keeps its place, and goes without a price. */
  async #turnEnded(outcome: SubmitOutcome): Promise<void> {
    const end = turnEndOf(outcome);
    if (this.#held) {
      this.#tell({ type: 'turn_ended', end, at: Date.now() });
      return;
    }
    const held: ScreenAction[] = [];
    this.#held = held;
    const costUsd = await knownCost(this.#session);
    this.#held = undefined;
    this.#tell({ type: 'turn_ended', end: { ...end, costUsd }, at: Date.now() });
    for (const action of held) this.#tell(action);
  }
}

type ChangedFacts = {
  readonly model?: string | undefined;
  readonly permissionMode?: 'plan' | 'default' | 'acceptEdits' | 'bypassPermissions' | undefined;
  readonly name?: string | undefined;
  readonly access?: 'drive' | 'lost' | undefined;
};

/** Asking may need another machine; the screen does not wait for it longer than this. */
const COST_MS = 1_000;

/** Undefined where no price is known. */
export async function knownCost(session: SessionView): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), COST_MS);
  });
  const costs = await Promise.race([session.getCosts().catch(() => undefined), late]);
  clearTimeout(timer);
  const known = (costs ?? []).flatMap(({ costUsd }) => costUsd ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}

/** Looks at files right before they are changed: afterwards nobody knows what they said. */
class EditWatch {
  readonly #cwd: string;
  readonly #dispatch: Dispatch;
  readonly #calls = new Map<string, ToolUseBlock>();

  constructor(cwd: string, dispatch: Dispatch) {
    this.#cwd = cwd;
    this.#dispatch = dispatch;
  }

  see(event: StreamEvent): void {
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
