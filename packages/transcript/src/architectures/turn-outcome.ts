import type { ProcessExit } from '../process/agent-process.ts';
import type { StreamEvent } from '../stream-events.ts';
import type { TurnOutcome } from './agent-architecture-adapter.ts';

/** The event that ends a turn. */
export function turnEnded(lastTurn: TurnOutcome): StreamEvent {
  return { type: 'metadata_update', metadata: { lastTurn }, conversationId: 'main' };
}

/** A program that exits without a result counts as interrupted, whatever its exit code. */
export function interruptedByExit(title: string, exit: ProcessExit): TurnOutcome {
  return { status: 'interrupted', reason: `${title} ${describeExit(exit)} during the turn` };
}

export function describeExit({ code, signal, complaint }: ProcessExit): string {
  const how = signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`;
  return complaint === '' ? how : `${how} (${complaint.split('\n').slice(-3).join(' ')})`;
}
