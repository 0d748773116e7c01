import { setTimeout as wait } from 'node:timers/promises';
import type { JsonRpcConnection, JsonRpcListener } from '../process/json-rpc.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { AgentQuery, TurnOutcome } from './agent-architecture-adapter.ts';
import type { LiveTurn } from './live-turn.ts';

/** A turn over JSON-RPC. */
export interface RpcTurn {
  readonly listener: JsonRpcListener;
  /** Sends the prompt and resolves with the outcome; rejects when the turn could not begin. */
  run(): Promise<TurnOutcome>;
  /** Asks the program to stop, so that it can write its state to the transcript. */
  interrupt(): void;
  findTranscript(): Promise<string | undefined>;
}

/** Runs a turn. An abort, or breaking out of the loop, ends the program and its child processes. */
export async function* runRpcTurn(
  connection: JsonRpcConnection,
  live: LiveTurn,
  { query, turn }: { readonly query: AgentQuery; readonly turn: RpcTurn },
): AsyncGenerator<StreamEvent> {
  const { signal } = query;
  let ending: Promise<void> | undefined;
  const stop = () => {
    ending ??= endSoon(connection, turn);
  };
  signal?.addEventListener('abort', stop, { once: true });
  connection.listener = turn.listener;
  const running = finish(live, turn, () => ending);
  running.catch((error: Error) => live.events.fail(error));
  if (signal?.aborted) stop();
  let isRead = false;
  try {
    yield* live.events;
    isRead = true;
  } finally {
    if (!isRead) stop();
    signal?.removeEventListener('abort', stop);
    await running.catch(() => undefined);
    if (ending !== undefined) await connection.end();
    connection.listener = undefined;
  }
}

async function finish(
  live: LiveTurn,
  turn: RpcTurn,
  aborted: () => Promise<void> | undefined,
): Promise<void> {
  try {
    const outcome = await turn.run();
    const isAborted = aborted() !== undefined;
    await live.end(isAborted ? ABORTED : outcome, await turn.findTranscript());
  } catch (error) {
    if (aborted() === undefined) throw error;
    await live.end(ABORTED, await turn.findTranscript());
  }
}

async function endSoon(connection: JsonRpcConnection, turn: RpcTurn): Promise<void> {
  turn.interrupt();
  await Promise.race([wait(INTERRUPT_MS, undefined, { ref: false }), connection.closed]);
  await connection.end();
}

const ABORTED: TurnOutcome = { status: 'interrupted', reason: 'The turn was interrupted' };
const INTERRUPT_MS = 2000;
