import {
  applyStreamEvent,
  type ConversationState,
  EMPTY_CONVERSATION,
  type StreamEvent,
} from '@robota-sdk/agent-transcript';
import type { BenchRow } from '../harness.ts';
import { writeClaudeTranscript } from './claude-transcript.ts';
import { transcriptRows } from './transcript-rows.ts';

export const rows: readonly BenchRow[] = [
  {
    name: 'folding ten times as many stream events (1 M against 100 k) costs ten times as much',
    unit: 'x',
    target: 13,
    measure: () => {
      foldEvents(100_000);
      const few = time(() => foldEvents(100_000));
      const many = time(() => foldEvents(1_000_000));
      const detail = `${many.toFixed(0)} ms for 1 M, ${few.toFixed(0)} ms for 100 k`;
      return { value: many / few, detail };
    },
  },
  ...transcriptRows({
    type: 'claude-agent-sdk',
    title: 'Claude transcript',
    fileName: 'session.jsonl',
    write: writeClaudeTranscript,
  }),
];

/** Messages of 20 deltas each, so that the number of blocks grows with the number of events. */
function foldEvents(count: number): ConversationState {
  const timestamp = '2026-01-01T00:00:00.000Z';
  let state = EMPTY_CONVERSATION;
  for (let index = 0; index < count; index++) {
    const blockId = `block-${Math.floor(index / 20)}`;
    const event: StreamEvent =
      index % 20 === 0
        ? {
            type: 'block_start',
            block: { type: 'assistant_text', id: blockId, timestamp, content: '' },
            conversationId: 'main',
          }
        : { type: 'text_delta', blockId, delta: 'word ', conversationId: 'main' };
    state = applyStreamEvent(state, event);
  }
  return state;
}

function time(work: () => unknown): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}
