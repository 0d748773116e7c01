import { applyStreamEvent, type StreamEvent } from '@robota-sdk/agent-transcript';
import { printFinished } from './print-blocks.ts';
import type { BlockTimes, OutputTail, ScreenState } from './screen-state.ts';
import { stepsAfter } from './steps.ts';

/** The conversation goes on. */
export function applyStream(state: ScreenState, event: StreamEvent, at: number): ScreenState {
  if (event.conversationId !== 'main') {
    return { ...state, conversation: applyStreamEvent(state.conversation, event) };
  }
  if (isTakenBack(event)) return takenBack(state, event);
  const next = {
    ...state,
    conversation: applyStreamEvent(state.conversation, event),
    openBlocks: openAfter(state.openBlocks, event),
    facts: { ...state.facts, times: timesAfter(state.facts.times, event, at) },
    steps: stepsAfter(state.steps, event),
  };
  return printFinished(next);
}

type BlockUpdate = Extract<StreamEvent, { type: 'block_update' }>;

/** A block leaves the conversation: it was cleared, rewound or tried again. */
function isTakenBack(event: StreamEvent): event is BlockUpdate {
  return event.type === 'block_update' && typeof event.updates.superseded === 'string';
}

/** What was printed stays above; only the count of it changes. */
function takenBack(state: ScreenState, event: BlockUpdate): ScreenState {
  const place = state.conversation.blocks.findIndex(({ id }) => id === event.blockId);
  const conversation = applyStreamEvent(state.conversation, event);
  const wasPrinted = place !== -1 && place < state.print.blocks;
  const wasBegun = place === state.print.blocks;
  const print = {
    ...state.print,
    blocks: state.print.blocks - (wasPrinted ? 1 : 0),
    characters: wasBegun ? 0 : state.print.characters,
  };
  return { ...state, conversation, print };
}

function openAfter(open: ReadonlySet<string>, event: StreamEvent): ReadonlySet<string> {
  if (event.type === 'block_start') return new Set(open).add(event.block.id);
  if (event.type !== 'block_complete' || !open.has(event.blockId)) return open;
  const next = new Set(open);
  next.delete(event.blockId);
  return next;
}

type Times = ReadonlyMap<string, BlockTimes>;

/** When a block began and ended; a call begins when it runs, not when it is asked for. */
function timesAfter(times: Times, event: StreamEvent, at: number): Times {
  switch (event.type) {
    case 'block_start':
      return new Map(times).set(event.block.id, { startedAt: at });
    case 'block_update': {
      const { updates } = event;
      const isRunning = 'status' in updates && updates.status === 'running';
      return isRunning ? new Map(times).set(event.blockId, { startedAt: at }) : times;
    }
    case 'block_complete': {
      const begun = times.get(event.blockId);
      return begun && begun.endedAt === undefined
        ? new Map(times).set(event.blockId, { ...begun, endedAt: at })
        : times;
    }
    default:
      return times;
  }
}

/** Lines kept of what a running command prints. */
const TAIL_LINES = 200;

export function withPrintedOutput(
  state: ScreenState,
  { toolUseId, text }: { readonly toolUseId: string; readonly text: string },
): ScreenState {
  const tail = grown(state.facts.tails.get(toolUseId), text);
  const tails = new Map(state.facts.tails).set(toolUseId, tail);
  return { ...state, facts: { ...state.facts, tails } };
}

function grown(tail: OutputTail | undefined, text: string): OutputTail {
  const before = tail ?? { lines: [''], above: 0 };
  const [first = '', ...others] = text.replaceAll('\r\n', '\n').split('\n');
  const last = before.lines.at(-1) ?? '';
  const all = [...before.lines.slice(0, -1), rewritten(last + first), ...others.map(rewritten)];
  const dropped = Math.max(0, all.length - TAIL_LINES);
  return { lines: all.slice(dropped), above: before.above + dropped };
}

/** A carriage return begins the line anew, as progress bars do. */
function rewritten(line: string): string {
  return line.slice(line.lastIndexOf('\r') + 1);
}
