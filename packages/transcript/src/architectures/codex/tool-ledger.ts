import type { ConversationBlock, ToolResultBlock, ToolUseBlock } from '../../blocks.ts';
import { compact } from '../../json-record.ts';
import type { BlockSequence } from './block-sequence.ts';
import type { RecordPlace } from './record-place.ts';
import {
  itemToolResult,
  itemToolUse,
  type ToolFacts,
  type ToolItem,
  toToolFacts,
  toToolItem,
} from './tool-item.ts';
import { type ToolAnswer, toToolAnswer } from './tool-output.ts';
import type { TurnItem } from './turn-item.ts';

export interface ToolCall {
  readonly id: string;
  readonly toolName: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly metadata?: Readonly<Record<string, unknown>> | undefined;
  /** Server-side tools already have an outcome. */
  readonly status?: ToolUseBlock['status'];
}

interface Entry {
  readonly toolName: string;
  /** Position of the call; `undefined` if it is before the part of the file being read. */
  readonly usePlace: number | undefined;
  resultPlace: number | undefined;
  /** Whether the call itself was read, not only an item about it. */
  hasCall: boolean;
  /** Whether the result came from an item, to be replaced by the output the model got. */
  isFromItem: boolean;
  item: ToolFacts | undefined;
  answer: AnswerFacts | undefined;
}

interface AnswerFacts {
  readonly failed: boolean | undefined;
  /** Whether the command continued in the background. */
  readonly isRunning: boolean;
}

/** Combines a tool's call, its output and the item with its outcome. */
export class ToolLedger {
  readonly #blocks: BlockSequence;
  readonly #entries = new Map<string, Entry>();
  /** The last block of a call that was not read. */
  #lastUnmatched = -1;

  constructor(blocks: BlockSequence) {
    this.#blocks = blocks;
  }

  get lastUnmatched(): number {
    return this.#lastUnmatched;
  }

  call({ id, toolName, input, metadata, status }: ToolCall, at: RecordPlace): void {
    const known = this.#entries.get(id);
    const bare: ToolUseBlock = {
      type: 'tool_use',
      id,
      timestamp: at.timestamp,
      toolName,
      toolUseId: id,
      input,
      status: status ?? 'pending',
    };
    const block = metadata === undefined ? bare : { ...bare, metadata };
    const place = known?.hasCall === false ? known.usePlace : undefined;
    const shown = place === undefined ? undefined : this.#blocks.get(place);
    if (known !== undefined && place !== undefined && shown?.type === 'tool_use') {
      known.hasCall = true;
      this.#blocks.set(place, { ...block, id: shown.id, status: shown.status });
      return;
    }
    const usePlace = this.#blocks.push(block, at.ordinal);
    const entry = emptyEntry(toolName, usePlace);
    entry.hasCall = true;
    this.#entries.set(id, entry);
    // Writers race: a result can be written before its call.
    if (known === undefined || known.usePlace !== undefined) return;
    entry.resultPlace = known.resultPlace;
    entry.answer = known.answer;
    entry.item = known.item;
    this.#settle(entry);
  }

  addResult(id: string, value: unknown, at: RecordPlace): void {
    const entry = this.#entryOf(id);
    const answer = toToolAnswer(value);
    entry.answer = { failed: answer.failed, isRunning: isRunning(answer) };
    const block = resultBlock(id, answer, at);
    if (entry.isFromItem && entry.resultPlace !== undefined) {
      this.#blocks.replace(entry.resultPlace, block);
      entry.isFromItem = false;
    } else {
      entry.resultPlace = this.#blocks.push(block, at.ordinal);
    }
    if (entry.usePlace === undefined) this.#lastUnmatched = this.#blocks.length - 1;
    this.#settle(entry);
  }

  /** An item without a call gets its own blocks: a command run by a script or another tool. */
  item(turnItem: TurnItem, at: RecordPlace): void {
    const id = turnItem.id ?? at.ownId();
    const known = this.#entries.get(id);
    if (known === undefined) {
      const item = toToolItem(turnItem);
      if (item !== undefined) this.#addStandalone(id, item, at);
      return;
    }
    known.item = toToolFacts(turnItem);
    this.#settle(known);
  }

  #addStandalone(id: string, item: ToolItem, at: RecordPlace): void {
    const usePlace = this.#blocks.push(itemToolUse(item, id, at.timestamp), at.ordinal);
    const entry = emptyEntry(item.toolName, usePlace);
    const { status, exitCode, durationMs } = item;
    entry.item = compact({ status, exitCode, durationMs });
    this.#entries.set(id, entry);
    if (status !== 'running') {
      entry.isFromItem = true;
      const result = itemToolResult(item, id, at.timestamp);
      entry.resultPlace = this.#blocks.push(result, at.ordinal);
    }
    if (!id.startsWith(NESTED)) this.#lastUnmatched = this.#blocks.length - 1;
  }

  /** Since 0.148 every executed command has an item; one with output but no item did not run. */
  failedCommands(): ReadonlyMap<number, ConversationBlock> {
    const settled = new Map<number, ConversationBlock>();
    for (const entry of this.#entries.values()) {
      if (entry.item !== undefined || entry.answer === undefined) continue;
      if (entry.answer.failed !== undefined || !COMMANDS.has(entry.toolName)) continue;
      if (entry.answer.isRunning) continue;
      const failed = { ...entry, answer: { ...entry.answer, failed: true } };
      for (const [place, block] of this.#settlementOf(failed)) settled.set(place, block);
    }
    return settled;
  }

  #entryOf(id: string): Entry {
    const known = this.#entries.get(id);
    if (known !== undefined) return known;
    const entry = emptyEntry('', undefined);
    this.#entries.set(id, entry);
    return entry;
  }

  #settle(entry: Entry): void {
    for (const [place, block] of this.#settlementOf(entry)) this.#blocks.set(place, block);
  }

  /** The result and its call, combined from output and item. */
  #settlementOf({ answer, item, resultPlace, usePlace }: Entry): [number, ConversationBlock][] {
    const result = resultPlace === undefined ? undefined : this.#blocks.get(resultPlace);
    if (resultPlace === undefined || result?.type !== 'tool_result' || answer === undefined) {
      return [];
    }
    const isError = answer.failed ?? item?.status === 'error';
    const answered = withFacts({ ...result, isError }, item);
    const use = usePlace === undefined ? undefined : this.#blocks.get(usePlace);
    if (usePlace === undefined || use?.type !== 'tool_use') return [[resultPlace, answered]];
    const status = isError ? 'error' : 'success';
    return [
      [resultPlace, answered],
      [usePlace, { ...use, status }],
    ];
  }
}

/** Prefix of the ids of commands run by a script in code mode. */
const NESTED = 'exec-';

export const COMMANDS: ReadonlySet<string> = new Set([
  'exec_command',
  'shell',
  'shell_command',
  'local_shell',
  'apply_patch',
]);

function isRunning({ output }: ToolAnswer): boolean {
  return typeof output === 'string' && /running with session ID/i.test(output.slice(0, 400));
}

function emptyEntry(toolName: string, usePlace: number | undefined): Entry {
  return {
    toolName,
    usePlace,
    resultPlace: undefined,
    hasCall: false,
    isFromItem: false,
    item: undefined,
    answer: undefined,
  };
}

function resultBlock(toolUseId: string, answer: ToolAnswer, at: RecordPlace): ToolResultBlock {
  const { output, failed, exitCode, durationMs } = answer;
  const block: ToolResultBlock = {
    type: 'tool_result',
    id: `${toolUseId}:result`,
    timestamp: at.timestamp,
    toolUseId,
    output,
    isError: failed === true,
  };
  return withFacts(block, { exitCode, durationMs });
}

function withFacts(result: ToolResultBlock, facts: Partial<Facts> | undefined): ToolResultBlock {
  const durationMs = facts?.durationMs ?? result.durationMs;
  const exitCode = result.metadata?.exitCode ?? facts?.exitCode;
  const timed = durationMs === undefined ? result : { ...result, durationMs };
  if (exitCode === undefined) return timed;
  return { ...timed, metadata: { ...result.metadata, exitCode } };
}

interface Facts {
  readonly exitCode: number | undefined;
  readonly durationMs: number | undefined;
}
