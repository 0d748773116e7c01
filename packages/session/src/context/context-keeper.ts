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

/** Keeps an eye on the window and makes room in it. */
export class ContextKeeper {
  readonly #options: ContextKeeperOptions;
  /** The message this turn answers, while it lasts. */
  #prompt: Message | undefined;
  /** A summary was taken back: only a window that is nearly full makes another one by itself. */
  #isHeldOff = false;

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

  /** True when the history is shorter now; a failure or an abort leaves it as it was, is logged and is thrown. */
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

  /** At the start of a run; a summary that fails is told, and the run goes on with the long history. */
  async compactIfDue(signal: AbortSignal): Promise<void> {
    this.#prompt = undefined;
    this.state();
    if (!this.#isDue()) return;
    await this.#tryCompacting(signal, () => this.compact({ trigger: 'auto', signal }));
  }

  /** Before each round: a long tool loop makes room without losing its prompt or its last results. */
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

  /** The person wants the long conversation: the next summary waits until there is hardly any room. */
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

  #tell(state: ContextWindowState): void {
    void this.#options.log.append('context', { ...state });
  }
}

interface Compaction {
  readonly trigger: CompactionTrigger;
  readonly summary: string;
  readonly before: ContextWindowState;
  /** Messages that stand behind the summary as they were. */
  readonly kept: number;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
