import { randomUUID } from 'node:crypto';
import type { AgentSandbox, SandboxSetup } from '../agent-sandbox/agent-sandbox.ts';
import type { TurnOutcome } from '../architectures/agent-architecture-adapter.ts';
import type { AskPermission } from '../architectures/permission-question.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { SessionMemory } from './session-memory.ts';

export interface TurnRequest {
  readonly query: string;
  readonly signal: AbortSignal;
  readonly emit: (event: StreamEvent) => void;
  readonly onPermissionRequest: AskPermission | undefined;
}

interface TurnParts {
  readonly sandbox: AgentSandbox;
  readonly memory: SessionMemory;
  readonly setup: SandboxSetup;
}

/** Starts the sandbox if need be, asks the agent, remembers and saves what it says. */
export async function runTurn(request: TurnRequest, parts: TurnParts): Promise<void> {
  const { memory } = parts;
  let hasOutcome = false;
  const accept = (event: StreamEvent) => {
    hasOutcome ||= outcomeOf(event) !== undefined;
    memory.accept(event);
    request.emit(event);
    if (event.type === 'block_complete') memory.syncSoon();
  };
  memory.onNotice = accept;
  try {
    await ready(parts);
    await memory.settle('active');
    for await (const event of ask(request, parts)) accept(event);
    if (!hasOutcome) accept(interrupted());
    await memory.finish('active');
  } catch (error) {
    accept(failure(error));
    await memory.finish('failed');
    throw error;
  } finally {
    memory.onNotice = undefined;
  }
}

async function ready({ sandbox, memory, setup }: TurnParts): Promise<void> {
  if (await sandbox.isHealthy()) return;
  await memory.settle('building-sandbox');
  await sandbox.restart(memory.renewed(setup));
}

async function* ask(
  { query, signal, onPermissionRequest }: TurnRequest,
  { sandbox, memory }: TurnParts,
): AsyncGenerator<StreamEvent> {
  const { main } = await sandbox.findTranscripts(memory.agentSessionId);
  yield* sandbox.executeQuery({
    query,
    sessionId: memory.agentSessionId,
    isNewSession: main === undefined,
    forkOf: main === undefined ? memory.originId : undefined,
    signal,
    onPermissionRequest,
  });
}

function outcomeOf(event: StreamEvent): TurnOutcome | undefined {
  if (event.type !== 'metadata_update') return undefined;
  return event.metadata.lastTurn as TurnOutcome | undefined;
}

function interrupted(): StreamEvent {
  const lastTurn: TurnOutcome = {
    status: 'interrupted',
    reason: 'The agent stopped without saying that the turn was over',
  };
  return { type: 'metadata_update', metadata: { lastTurn }, conversationId: 'main' };
}

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
