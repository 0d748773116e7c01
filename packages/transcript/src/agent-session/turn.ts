import { randomUUID } from 'node:crypto';
import type { AgentSandbox, SandboxSetup } from '../agent-sandbox/agent-sandbox.ts';
import type { TurnOutcome } from '../architectures/agent-architecture-adapter.ts';
import type { AskPermission } from '../architectures/permission-question.ts';
import { turnEnded } from '../architectures/turn-outcome.ts';
import type { ImageContent } from '../blocks.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { SessionMemory } from './session-memory.ts';
import type { SessionWatch } from './session-watch.ts';

export interface TurnRequest {
  readonly query: string;
  readonly images: readonly ImageContent[];
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  readonly onPermissionRequest: AskPermission | undefined;
}

interface TurnParts {
  readonly sandbox: AgentSandbox;
  readonly memory: SessionMemory;
  readonly setup: SandboxSetup;
  readonly watch: SessionWatch;
}

/** Starts the sandbox if necessary, sends the prompt, and emits and saves the answer. */
export async function runAgentTurn(request: TurnRequest, parts: TurnParts): Promise<void> {
  const { memory, watch } = parts;
  const emitted: string[] = [];
  const accept = (event: StreamEvent) => {
    memory.accept(event);
    request.emit(event);
    if (event.type !== 'block_complete') return;
    emitted.push(event.blockId);
    memory.syncSoon();
  };
  memory.onNotice = accept;
  try {
    await ensureSandbox(parts);
    await memory.settle('active');
    await watch.beginTurn(accept);
    const outcome = (await answer(request, parts, accept)) ?? INTERRUPTED;
    await watch.endTurn(emitted, outcome);
    accept(turnEnded(outcome));
    await memory.finish('active');
  } catch (error) {
    accept(failure(error));
    await memory.finish('failed');
    throw error;
  } finally {
    watch.leaveTurn();
    memory.onNotice = undefined;
  }
}

/** Returns the outcome instead of emitting it, because it must be the last event. */
async function answer(
  request: TurnRequest,
  parts: TurnParts,
  accept: (event: StreamEvent) => void,
): Promise<TurnOutcome | undefined> {
  let outcome: TurnOutcome | undefined;
  for await (const event of ask(request, parts)) {
    const { lastTurn, rest } = withoutOutcome(event);
    outcome = lastTurn ?? outcome;
    if (rest !== undefined) accept(rest);
  }
  return outcome;
}

async function ensureSandbox({ sandbox, memory, setup }: TurnParts): Promise<void> {
  if (await sandbox.isHealthy()) return;
  await memory.settle('building-sandbox');
  await sandbox.restart(memory.restoringSetup(setup));
}

async function* ask(
  { query, images, signal, onPermissionRequest }: TurnRequest,
  { sandbox, memory }: TurnParts,
): AsyncGenerator<StreamEvent> {
  const { main } = await sandbox.findTranscripts(memory.agentSessionId);
  yield* sandbox.executeQuery({
    query,
    images,
    sessionId: memory.agentSessionId,
    isNewSession: main === undefined,
    forkOf: main === undefined ? memory.originId : undefined,
    signal,
    onPermissionRequest,
  });
}

function withoutOutcome(event: StreamEvent): {
  readonly lastTurn: TurnOutcome | undefined;
  readonly rest: StreamEvent | undefined;
} {
  if (event.type !== 'metadata_update' || event.metadata.lastTurn === undefined) {
    return { lastTurn: undefined, rest: event };
  }
  const { lastTurn, ...metadata } = event.metadata;
  const rest = Object.keys(metadata).length === 0 ? undefined : { ...event, metadata };
  return { lastTurn: lastTurn as TurnOutcome, rest };
}

const INTERRUPTED: TurnOutcome = {
  status: 'interrupted',
  reason: 'The agent stopped without saying that the turn was over',
};

function failure(error: unknown): StreamEvent {
  const message = error instanceof Error ? error.message : String(error);
  const block = {
    type: 'system',
    id: `live:main:${randomUUID()}`,
    timestamp: new Date().toISOString(),
    subtype: 'error',
    message,
  } as const;
  return { type: 'block_complete', blockId: block.id, block, conversationId: 'main' };
}
