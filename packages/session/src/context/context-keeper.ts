import {
  type Agent,
  type ContextWindowState,
  createUserMessage,
  type Message,
} from '@robota-sdk/agent-core';
import type { EntryLog } from '../entry-log.ts';
import type { LifecycleHooks, NoticeCallback } from '../lifecycle-hooks.ts';
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
  readonly log: EntryLog;
  readonly hooks: LifecycleHooks;
  readonly notice: NoticeCallback;
}

const NEARLY_FULL_PERCENT = 95;

/** Tracks the context window and compacts the conversation. */
export class ContextKeeper {
  readonly #options: ContextKeeperOptions;
  /** The prompt of the current turn. */
  #prompt: Message | undefined;
  /** A compaction was undone: only a nearly full window triggers another automatic one. */
  #isHeldOff = false;

  constructor(options: ContextKeeperOptions) {
    this.#options = options;
  }

  /** Reports the estimated context usage of the next request. */
  estimate(prompt: string): void {
    const { agent, tracker } = this.#options;
    const pending = [createUserMessage(prompt)];
    this.#report(tracker.updateFromEstimate(agent.getContextEstimate(), pending));
  }

  /** Reports the current context usage. */
  reconcile(): ContextWindowState {
    const state = this.state();
    this.#report(state);
    return state;
  }

  state(): ContextWindowState {
    const { agent, tracker } = this.#options;
    return tracker.updateFromEstimate(agent.getContextEstimate());
  }

  /** True if the history was compacted; a failure or abort leaves it unchanged, is logged and rethrown. */
  async compact(request: CompactionRequest): Promise<boolean> {
    const { agent } = this.#options;
    const messages = agent.getHistory();
    const before = this.state();
    const summary = await this.#summarize(messages, request);
    if (summary === null) return false;
    const arrived = agent.getHistory().slice(messages.length);
    await this.#replace(compactedHistory(messages, summary, arrived), {
      trigger: request.trigger,
      summary,
      before,
      kept: arrived.length,
    });
    return true;
  }

  /** Runs at the start of a run; a failure is reported, and the run continues with the full history. */
  async compactIfDue(signal: AbortSignal): Promise<void> {
    this.#prompt = undefined;
    this.state();
    if (!this.#isDue()) return;
    await this.#tryCompacting(signal, () => this.compact({ trigger: 'auto', signal }));
  }

  /** Runs before each round: compacts a long tool loop without losing its prompt or last results. */
  async beforeRound(round: number, signal: AbortSignal): Promise<void> {
    const { agent } = this.#options;
    if (round === 1) {
      this.#prompt = agent.getHistory().findLast((message) => message.role === 'user');
      return;
    }
    this.state();
    if (this.#isDue()) {
      await this.#tryCompacting(signal, () => this.#compactMidRun(signal));
    }
  }

  /** The user wants the full conversation: the next automatic compaction waits until the window is nearly full. */
  holdOff(): void {
    this.#isHeldOff = true;
  }

  #isDue(): boolean {
    if (!this.#options.tracker.shouldAutoCompact()) return false;
    return !this.#isHeldOff || this.state().usedPercentage >= NEARLY_FULL_PERCENT;
  }

  async #compactMidRun(signal: AbortSignal): Promise<void> {
    const { agent } = this.#options;
    const messages = agent.getHistory();
    const split = splitMidRun(messages, this.#prompt ? messages.indexOf(this.#prompt) : -1);
    if (split === null) return;
    const before = this.state();
    const summary = await this.#summarize(split.old, { trigger: 'auto', signal });
    if (summary === null) return;
    const { kept } = split;
    await this.#replace(compactedHistory(messages, summary, kept), {
      trigger: 'auto',
      summary,
      before,
      kept: kept.length,
    });
  }

  async #tryCompacting(signal: AbortSignal, compact: () => Promise<unknown>): Promise<void> {
    try {
      await compact();
    } catch (error) {
      if (signal.aborted) return;
      this.#options.notice({
        level: 'warning',
        kind: 'compaction',
        message: `The conversation could not be compacted and stays as it is: ${messageOf(error)}`,
      });
    }
  }

  async #summarize(
    messages: readonly Message[],
    request: CompactionRequest,
  ): Promise<string | null> {
    const { orchestrator, log } = this.#options;
    try {
      return await orchestrator.compact(messages, request);
    } catch (error) {
      void log.append('compaction_failed', { trigger: request.trigger, message: messageOf(error) });
      throw error;
    }
  }

  async #replace(messages: readonly Message[], compaction: Compaction): Promise<void> {
    const { agent, log, hooks } = this.#options;
    const { trigger, summary, before, kept } = compaction;
    agent.replaceHistory(messages, 'compaction');
    this.#isHeldOff = false;
    const summaryId = messages.find(({ role }) => role === 'assistant')?.id;
    const after = this.reconcile();
    await hooks.fire('PostCompact', { trigger, compact_summary: summary });
    void log.append('context_compact', { trigger, before, after, summary, summaryId, kept });
  }

  #report(state: ContextWindowState): void {
    void this.#options.log.append('context', { ...state });
  }
}

interface Compaction {
  readonly trigger: CompactionTrigger;
  readonly summary: string;
  readonly before: ContextWindowState;
  /** Number of messages kept unchanged after the summary. */
  readonly kept: number;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
