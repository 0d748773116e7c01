import type { EngineEvent } from '@robota-sdk/agent-core';
import {
  createStreamTranslator,
  type StreamEvent,
  type SubagentBlock,
  type SystemBlock,
} from '@robota-sdk/agent-transcript';

/** What a subagent is in its parent's conversation. */
export interface ThreadIdentity {
  readonly agentId: string;
  readonly agentType: string;
  readonly input: string;
  /** The call that stands for it alone; without one it shows a block of its own. */
  readonly toolUseId?: string | undefined;
  /** Beside others of one call, from 1. */
  readonly job?: { readonly toolUseId: string; readonly number: number } | undefined;
  /** The call was answered before the work was done. */
  readonly isDetached?: boolean | undefined;
}

export interface ThreadEnd {
  readonly success: boolean;
  readonly output: string;
  readonly durationMs: number;
}

/** Shows a subagent at work: one block in the parent's conversation, and a conversation of its own. */
export class SubagentThread {
  readonly #identity: ThreadIdentity;
  readonly #tell: (event: StreamEvent) => void;
  readonly #translator = createStreamTranslator('robota');
  readonly #key: string;
  readonly #startedAt = now();

  constructor(identity: ThreadIdentity, tell: (event: StreamEvent) => void) {
    const { toolUseId, job, agentId } = identity;
    this.#identity = identity;
    this.#tell = tell;
    this.#key = toolUseId ?? (job ? `${job.toolUseId}:${job.number}` : agentId);
  }

  start(): void {
    const { agentId, agentType, toolUseId } = this.#identity;
    if (toolUseId === undefined) this.#main({ type: 'block_start', block: this.#block() });
    else this.#update({ subagentId: agentId, name: agentType });
    this.#system('started', `Subagent ${agentType} started`);
  }

  /** Totals are the parent's matter, so those of the thread stay here. */
  readonly hear = (event: EngineEvent): void => {
    for (const told of this.#translator.translate(event)) this.#pass(told);
  };

  end(end: ThreadEnd): void {
    for (const told of this.#translator.end()) this.#pass(told);
    this.#system('completed', end.success ? 'Subagent completed' : 'Subagent failed');
    const { toolUseId, isDetached } = this.#identity;
    const ending = { ...end, status: end.success ? ('success' as const) : ('error' as const) };
    const { success: _success, ...updates } = ending;
    if (toolUseId === undefined) {
      const block = { ...this.#block(), ...updates };
      this.#main({ type: 'block_complete', blockId: block.id, block });
    } else if (isDetached) this.#update(updates);
  }

  #block(): SubagentBlock {
    const { agentId, agentType, input } = this.#identity;
    return {
      type: 'subagent',
      id: this.#blockId,
      timestamp: this.#startedAt,
      subagentId: agentId,
      name: agentType,
      input,
      status: 'running',
    };
  }

  get #blockId(): string {
    return `subagent:${this.#key}`;
  }

  #update(updates: Partial<Omit<SubagentBlock, 'id' | 'type'>>): void {
    this.#main({ type: 'block_update', blockId: this.#blockId, updates });
  }

  #main(event: WithoutConversation<StreamEvent>): void {
    this.#tell({ ...event, conversationId: 'main' } as StreamEvent);
  }

  #pass(event: StreamEvent): void {
    if (event.type === 'metadata_update') return;
    this.#tell({ ...event, conversationId: this.#identity.agentId });
  }

  #system(moment: 'started' | 'completed', message: string): void {
    const block: SystemBlock = {
      type: 'system',
      id: `${this.#blockId}:${moment}`,
      timestamp: now(),
      subtype: moment === 'started' ? 'session_start' : 'session_end',
      message,
    };
    this.#pass({ type: 'block_complete', blockId: block.id, block, conversationId: '' });
  }
}

type WithoutConversation<Event> = Event extends unknown ? Omit<Event, 'conversationId'> : never;

function now(): string {
  return new Date().toISOString();
}
