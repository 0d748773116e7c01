import {
  type Agent,
  type ContextWindowState,
  createUserMessage,
  type Message,
} from '@robota-sdk/agent-core';
import type { LifecycleHooks, NoticeCallback } from '../lifecycle-hooks.ts';
import type { SessionJournal } from '../log/session-journal.ts';
import type { CompactEvent } from '../session-options.ts';
import { compactedHistory, splitMidRun } from './compacted-history.ts';
import type {
  CompactionOrchestrator,
  CompactionRequest,
  CompactionTrigger,
} from './compaction-orchestrator.ts';
import type { ContextWindowTracker } from './context-window-tracker.ts';

export interface ContextKeeperOptions {
  readonly agent: Agent;
  readonly tracker: ContextWindowTracker;
  readonly orchestrator: CompactionOrchestrator;
  readonly journal: SessionJournal;
  readonly hooks: LifecycleHooks;
  readonly onContextUpdate?: ((state: ContextWindowState) => void) | undefined;
  readonly onCompact?: ((summary: string) => void) | undefined;
  readonly onCompactEvent?: ((event: CompactEvent) => void) | undefined;
  readonly onNotice?: NoticeCallback | undefined;
}

/** Keeps an eye on the window and makes room in it. */
export class ContextKeeper {
  readonly #options: ContextKeeperOptions;
  /** The message this turn answers, while it lasts. */
  #prompt: Message | undefined;

  constructor(options: ContextKeeperOptions) {
    this.#options = options;
  }

  /** What the request will take, told before the model answers. */
  estimate(prompt: string): void {
    const { agent, tracker } = this.#options;
    const pending = [createUserMessage(prompt)];
    this.#tell(tracker.updateFromEstimate(agent.getContextEstimate(), pending));
  }

  /** What the conversation takes now. */
  reconcile(): ContextWindowState {
    const state = this.state();
    this.#tell(state);
    return state;
  }

  state(): ContextWindowState {
    const { agent, tracker } = this.#options;
    return tracker.updateFromEstimate(agent.getContextEstimate());
  }

  /** True when the history is shorter now; a failure or an abort leaves it as it was and is thrown. */
  async compact(request: CompactionRequest): Promise<boolean> {
    const { agent, orchestrator } = this.#options;
    const messages = agent.getHistory();
    const before = this.state();
    const summary = await orchestrator.compact(messages, request);
    if (summary === null) return false;
    const arrived = agent.getHistory().slice(messages.length);
    agent.replaceHistory(compactedHistory(messages, summary, arrived), 'compaction');
    await this.#report(request.trigger, summary, before);
    return true;
  }

  /** At the start of a run; a summary that fails is told, and the run goes on with the long history. */
  async compactIfDue(signal: AbortSignal): Promise<void> {
    this.#prompt = undefined;
    this.state();
    if (!this.#options.tracker.shouldAutoCompact()) return;
    await this.#tryCompacting(signal, () => this.compact({ trigger: 'auto', signal }));
  }

  /** Before each round: a long tool loop makes room without losing its prompt or its last results. */
  async beforeRound(round: number, signal: AbortSignal): Promise<void> {
    const { agent, tracker } = this.#options;
    if (round === 1) {
      this.#prompt = agent.getHistory().findLast((message) => message.role === 'user');
      return;
    }
    this.state();
    if (tracker.shouldAutoCompact()) {
      await this.#tryCompacting(signal, () => this.#compactMidRun(signal));
    }
  }

  async #compactMidRun(signal: AbortSignal): Promise<void> {
    const { agent, orchestrator } = this.#options;
    const messages = agent.getHistory();
    const split = splitMidRun(messages, this.#prompt ? messages.indexOf(this.#prompt) : -1);
    if (split === null) return;
    const before = this.state();
    const summary = await orchestrator.compact(split.old, { trigger: 'auto', signal });
    if (summary === null) return;
    agent.replaceHistory(compactedHistory(messages, summary, split.kept), 'compaction');
    await this.#report('auto', summary, before);
  }

  async #tryCompacting(signal: AbortSignal, compact: () => Promise<unknown>): Promise<void> {
    try {
      await compact();
    } catch (error) {
      if (signal.aborted) return;
      const reason = error instanceof Error ? error.message : String(error);
      void this.#options.journal.write('compaction_failed', { message: reason });
      this.#options.onNotice?.({
        level: 'warning',
        message: `The conversation could not be compacted and stays as it is: ${reason}`,
      });
    }
  }

  async #report(
    trigger: CompactionTrigger,
    summary: string,
    before: ContextWindowState,
  ): Promise<void> {
    const { journal, hooks, onCompactEvent, onCompact } = this.#options;
    const after = this.reconcile();
    void journal.write('context_compact', { trigger, before, after });
    await hooks.fire('PostCompact', { trigger, compact_summary: summary });
    onCompactEvent?.({ trigger, before, after });
    onCompact?.(summary);
  }

  #tell(state: ContextWindowState): void {
    this.#options.onContextUpdate?.(state);
  }
}
