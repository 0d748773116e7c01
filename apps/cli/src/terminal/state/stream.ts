import { applyStreamEvent, type StreamEvent } from '@robota-sdk/agent-transcript';
import { printFinished } from './print-blocks.ts';
import type { BlockFacts, OutputTail, ScreenState } from './screen-state.ts';
import { stepsAfter } from './steps.ts';

/** Applies a stream event to the conversation and prints what it finished. */
export function applyStream(state: ScreenState, event: StreamEvent, at: number): ScreenState {
  if (event.conversationId !== 'main') {
    return { ...state, conversation: applyStreamEvent(state.conversation, event) };
  }
  if (isSuperseded(event)) return withoutSuperseded(state, event);
  const next = {
    ...state,
    conversation: applyStreamEvent(state.conversation, event),
    openBlocks: openAfter(state.openBlocks, event),
    lineOf: lineAfter(state.lineOf, event),
    facts: { ...state.facts, times: timesAfter(state.facts.times, event, at) },
    steps: stepsAfter(state.steps, event),
  };
  return isInsideLine(state, event) ? next : printFinished(next);
}

/** Most events append inside a line, which cannot finish anything: the blocks, which may be many, are not looked at. */
function isInsideLine({ lineOf }: ScreenState, event: StreamEvent): boolean {
  return event.type === 'text_delta' && !event.delta.includes('\n') && lineOf === event.blockId;
}

function lineAfter(lineOf: string | undefined, event: StreamEvent): string | undefined {
  if (event.type !== 'text_delta') return undefined;
  if (event.delta === '') return lineOf;
  return event.delta.endsWith('\n') ? undefined : event.blockId;
}

type BlockUpdate = Extract<StreamEvent, { type: 'block_update' }>;

/** The block leaves the conversation: it was cleared, rewound or retried. */
function isSuperseded(event: StreamEvent): event is BlockUpdate {
  return event.type === 'block_update' && typeof event.updates.superseded === 'string';
}

/** Printed lines stay in the scrollback; only the count of printed blocks changes. */
function withoutSuperseded(state: ScreenState, event: BlockUpdate): ScreenState {
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

type Times = BlockFacts['times'];

/** Start and end times of blocks; a call starts when it runs, not when it is requested. */
function timesAfter(times: Times, event: StreamEvent, at: number): Times {
  switch (event.type) {
    case 'block_start':
      return times.set(event.block.id, { startedAt: at });
    case 'block_update': {
      const { updates } = event;
      const isRunning = 'status' in updates && updates.status === 'running';
      return isRunning ? times.set(event.blockId, { startedAt: at }) : times;
    }
    case 'block_complete': {
      const begun = times.get(event.blockId);
      return begun && begun.endedAt === undefined
        ? times.set(event.blockId, { ...begun, endedAt: at })
        : times;
    }
    default:
      return times;
  }
}

/** Lines kept of a running command's output. */
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

/** A carriage return overwrites the line, as progress bars do. */
function rewritten(line: string): string {
  return line.slice(line.lastIndexOf('\r') + 1);
}
