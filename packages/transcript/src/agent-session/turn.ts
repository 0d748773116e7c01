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

/** Starts the sandbox if need be, asks the agent, remembers and saves what it says. */
export async function runTurn(request: TurnRequest, parts: TurnParts): Promise<void> {
  const { memory, watch } = parts;
  const told: string[] = [];
  const accept = (event: StreamEvent) => {
    memory.accept(event);
    request.emit(event);
    if (event.type !== 'block_complete') return;
    told.push(event.blockId);
    memory.syncSoon();
  };
  memory.onNotice = accept;
  try {
    await ready(parts);
    await memory.settle('active');
    await watch.beginTurn(accept);
    const outcome = (await answer(request, parts, accept)) ?? INTERRUPTED;
    await watch.endTurn(told, outcome);
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

/** How the turn ended; that is told last, after everything else is known. */
async function answer(
  request: TurnRequest,
  parts: TurnParts,
  accept: (event: StreamEvent) => void,
): Promise<TurnOutcome | undefined> {
  let outcome: TurnOutcome | undefined;
  for await (const event of ask(request, parts)) {
    const { told, rest } = withoutOutcome(event);
    outcome = told ?? outcome;
    if (rest !== undefined) accept(rest);
  }
  return outcome;
}

async function ready({ sandbox, memory, setup }: TurnParts): Promise<void> {
  if (await sandbox.isHealthy()) return;
  await memory.settle('building-sandbox');
  await sandbox.restart(memory.renewed(setup));
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
  readonly told: TurnOutcome | undefined;
  readonly rest: StreamEvent | undefined;
} {
  if (event.type !== 'metadata_update' || event.metadata.lastTurn === undefined) {
    return { told: undefined, rest: event };
  }
  const { lastTurn, ...metadata } = event.metadata;
  const rest = Object.keys(metadata).length === 0 ? undefined : { ...event, metadata };
  return { told: lastTurn as TurnOutcome, rest };
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
