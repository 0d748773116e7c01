import { setTimeout as wait } from 'node:timers/promises';
import type { AgentSandbox } from '../agent-sandbox/agent-sandbox.ts';
import type { TurnOutcome } from '../architectures/agent-architecture-adapter.ts';
import type { ConversationBlock } from '../blocks.ts';
import { applyStreamEvent } from '../fold/apply-stream-event.ts';
import type { ConversationState } from '../fold/conversation-state.ts';
import type { StreamEvent } from '../stream-events.ts';
import { isOpenCall } from './merge-reading.ts';
import type { SessionMemory } from './session-memory.ts';
import { TranscriptWatch } from './transcript-watch.ts';

/** Keeps the in-memory conversation in sync with the transcripts in the program's home, during turns and between them. */
export class SessionWatch {
  readonly #sandbox: AgentSandbox;
  readonly #memory: SessionMemory;
  readonly #files: TranscriptWatch | undefined;
  /** Receives events while a turn is running. */
  #accept: ((event: StreamEvent) => void) | undefined;
  /** Whether the session was continued by another process since our program's last turn. */
  #isContinuedElsewhere = false;
  #isEnding = false;

  constructor(sandbox: AgentSandbox, memory: SessionMemory, onError: (error: Error) => void) {
    this.#sandbox = sandbox;
    this.#memory = memory;
    const { source } = sandbox;
    if (source === undefined) return;
    this.#files = new TranscriptWatch(source, {
      conversation: () => memory.conversation,
      onEvent: (event) => this.#emit(event),
      onResync: (conversation) => {
        memory.replace(conversation);
        memory.syncSoon();
      },
      onError,
    });
  }

  /** The session was just opened and its program is not running, so open calls are ended. */
  async open(): Promise<void> {
    const state = endOpenCalls(this.#memory.conversation).reduce(
      applyStreamEvent,
      this.#memory.conversation,
    );
    this.#memory.conversation = state;
    await this.#begin();
    this.#files?.resume();
  }

  /** Emits what happened since the last turn before the new one begins. */
  async beginTurn(accept: (event: StreamEvent) => void): Promise<void> {
    this.#accept = accept;
    await this.#begin();
    this.#files?.pause();
    await this.#files?.settle();
    if (!this.#isContinuedElsewhere) return;
    // A running program knows only its own turns; restarted, it resumes from the transcript on disk.
    this.#isContinuedElsewhere = false;
    await this.#sandbox.endProgram();
  }

  /** `emitted` are the block ids of the turn; waits for the program to write them. */
  async endTurn(emitted: readonly string[], { status }: TurnOutcome): Promise<void> {
    const timeout = status === 'completed' ? WRITE_TIMEOUT_MS : SHORT_WRITE_TIMEOUT_MS;
    const deadline = performance.now() + timeout;
    while (!(await this.#begin()) && performance.now() < deadline) await wait(POLL_INTERVAL_MS);
    this.#isEnding = true;
    await this.#files?.settle(emitted, deadline - performance.now());
    this.#isEnding = false;
    if (status === 'interrupted') this.endCalls();
  }

  leaveTurn(): void {
    this.#accept = undefined;
    this.#files?.resume();
  }

  /** The program has ended: reads what it wrote last and ends its open calls. */
  async close(): Promise<void> {
    this.#files?.pause();
    await this.#begin();
    await this.#files?.settle();
    await this.#files?.end();
    this.endCalls();
  }

  endCalls(): void {
    for (const event of endOpenCalls(this.#memory.conversation)) this.#emit(event);
  }

  /** False if the program has not written a transcript yet. */
  async #begin(): Promise<boolean> {
    if (this.#files === undefined) return true;
    const { main } = await this.#sandbox.findTranscripts(this.#memory.agentSessionId);
    if (main !== undefined) await this.#files.begin(main);
    return main !== undefined;
  }

  #emit(event: StreamEvent): void {
    const isUserMessage = event.type === 'block_complete' && event.block.type === 'user_message';
    if (isUserMessage && event.conversationId === 'main')
      this.#isContinuedElsewhere ||= !this.#isEnding;
    if (this.#accept !== undefined) {
      this.#accept(event);
      return;
    }
    this.#memory.accept(event);
    this.#memory.syncSoon();
  }
}

/** The program is not running, so its open tool calls and subagents will never get a result. */
function endOpenCalls({ blocks, subagents }: ConversationState): StreamEvent[] {
  return [
    ...endIn('main', blocks),
    ...subagents.flatMap((thread) => endIn(thread.id, thread.blocks)),
  ];
}

function endIn(conversationId: string, blocks: readonly ConversationBlock[]): StreamEvent[] {
  return blocks.filter(isOpenCall).map(({ id, metadata }) => ({
    type: 'block_update',
    blockId: id,
    updates: { status: 'error', metadata: { ...metadata, interrupted: true } },
    conversationId,
  }));
}

/** Programs usually write within a tenth of a second. */
const WRITE_TIMEOUT_MS = 1000;
const SHORT_WRITE_TIMEOUT_MS = 250;
const POLL_INTERVAL_MS = 20;
