import { setTimeout as wait } from 'node:timers/promises';
import type { AgentSandbox } from '../agent-sandbox/agent-sandbox.ts';
import type { TurnOutcome } from '../architectures/agent-architecture-adapter.ts';
import { applyStreamEvent } from '../fold/apply-stream-event.ts';
import type { StreamEvent } from '../stream-events.ts';
import { endOpenCalls } from './end-open-calls.ts';
import type { SessionMemory } from './session-memory.ts';
import { TranscriptWatch } from './transcript-watch.ts';

/** Keeps what is known of a session equal to what lies in the program's home, in its turns and between them. */
export class SessionWatch {
  readonly #sandbox: AgentSandbox;
  readonly #memory: SessionMemory;
  readonly #files: TranscriptWatch | undefined;
  /** Who is told of events while a turn is being answered. */
  #accept: ((event: StreamEvent) => void) | undefined;
  /** Whether somebody has said something to another program than ours since its last turn. */
  #isElsewhere = false;
  #isEnding = false;

  constructor(sandbox: AgentSandbox, memory: SessionMemory, onError: (error: Error) => void) {
    this.#sandbox = sandbox;
    this.#memory = memory;
    const { source } = sandbox;
    if (source === undefined) return;
    this.#files = new TranscriptWatch(source, {
      conversation: () => memory.conversation,
      onEvent: (event) => this.#tell(event),
      onResync: (conversation) => {
        memory.replace(conversation);
        memory.syncSoon();
      },
      onError,
    });
  }

  /** The session was just opened and its program does not run: nobody is at work on anything. */
  async open(): Promise<void> {
    const state = endOpenCalls(this.#memory.conversation).reduce(
      applyStreamEvent,
      this.#memory.conversation,
    );
    this.#memory.conversation = state;
    await this.#begin();
    this.#files?.resume();
  }

  /** What happened since is told before the turn begins. */
  async beginTurn(accept: (event: StreamEvent) => void): Promise<void> {
    this.#accept = accept;
    await this.#begin();
    this.#files?.pause();
    await this.#files?.settle();
    if (!this.#isElsewhere) return;
    // The program knows only what it was told itself; started anew it begins from what lies there.
    this.#isElsewhere = false;
    await this.#sandbox.endProgram();
  }

  /** `told` are the blocks of the turn: the program is given time to write them down. */
  async endTurn(told: readonly string[], { status }: TurnOutcome): Promise<void> {
    const patience = status === 'completed' ? PATIENCE_MS : SHORT_PATIENCE_MS;
    const deadline = performance.now() + patience;
    while (!(await this.#begin()) && performance.now() < deadline) await wait(LOOK_AGAIN_MS);
    this.#isEnding = true;
    await this.#files?.settle(told, deadline - performance.now());
    this.#isEnding = false;
    if (status === 'interrupted') this.endCalls();
  }

  leaveTurn(): void {
    this.#accept = undefined;
    this.#files?.resume();
  }

  /** The program has ended: what it wrote last is taken over, and nothing of it is at work any more. */
  async close(): Promise<void> {
    this.#files?.pause();
    await this.#begin();
    await this.#files?.settle();
    await this.#files?.end();
    this.endCalls();
  }

  endCalls(): void {
    for (const event of endOpenCalls(this.#memory.conversation)) this.#tell(event);
  }

  /** Whether there is something to watch. */
  async #begin(): Promise<boolean> {
    if (this.#files === undefined) return true;
    const { main } = await this.#sandbox.findTranscripts(this.#memory.agentSessionId);
    if (main !== undefined) await this.#files.begin(main);
    return main !== undefined;
  }

  #tell(event: StreamEvent): void {
    const isSaid = event.type === 'block_complete' && event.block.type === 'user_message';
    if (isSaid && event.conversationId === 'main') this.#isElsewhere ||= !this.#isEnding;
    if (this.#accept !== undefined) {
      this.#accept(event);
      return;
    }
    this.#memory.accept(event);
    this.#memory.syncSoon();
  }
}

/** Programs write within a tenth of a second; one that has not written by then will not. */
const PATIENCE_MS = 1000;
const SHORT_PATIENCE_MS = 250;
const LOOK_AGAIN_MS = 20;
