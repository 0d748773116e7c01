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
  /** Tools that run at the model's vendor come with their outcome. */
  readonly status?: ToolUseBlock['status'];
}

interface Entry {
  readonly toolName: string;
  /** Where the call stands; `undefined` when it was made before the part of the file being read. */
  readonly usePlace: number | undefined;
  resultPlace: number | undefined;
  /** Whether the result came from an item, to be replaced by what the model was told. */
  isFromItem: boolean;
  item: ToolFacts | undefined;
  answer: AnswerFacts | undefined;
}

interface AnswerFacts {
  readonly failed: boolean | undefined;
  /** Whether the command went on after the answer. */
  readonly isRunning: boolean;
}

/** Brings together a tool's call, its answer and the item that tells how it went. */
export class ToolLedger {
  readonly #blocks: BlockSequence;
  readonly #entries = new Map<string, Entry>();
  /** The last block that belongs to a call nobody has seen. */
  #lastStray = -1;

  constructor(blocks: BlockSequence) {
    this.#blocks = blocks;
  }

  get lastStray(): number {
    return this.#lastStray;
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
    const place = known?.isFromItem === true ? known.usePlace : undefined;
    const shown = place === undefined ? undefined : this.#blocks.get(place);
    if (place !== undefined && shown?.type === 'tool_use') {
      this.#blocks.set(place, { ...block, id: shown.id, status: shown.status });
      return;
    }
    const usePlace = this.#blocks.push(block, at.ordinal);
    this.#entries.set(id, emptyEntry(toolName, usePlace));
  }

  answer(id: string, value: unknown, at: RecordPlace): void {
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
    if (entry.usePlace === undefined) this.#lastStray = this.#blocks.length - 1;
    this.#settle(entry);
  }

  /** An item without a call stands for itself: a command run by a script, or by another tool. */
  item(turnItem: TurnItem, at: RecordPlace): void {
    const id = turnItem.id ?? at.ownId();
    const known = this.#entries.get(id);
    if (known === undefined) {
      const item = toToolItem(turnItem);
      if (item !== undefined) this.#standAlone(id, item, at);
      return;
    }
    known.item = toToolFacts(turnItem);
    this.#settle(known);
  }

  #standAlone(id: string, item: ToolItem, at: RecordPlace): void {
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
    if (!id.startsWith(NESTED)) this.#lastStray = this.#blocks.length - 1;
  }

  /** Since 0.148 a command that ran has an item; if no more lines come, one that was answered without did not run. */
  unrun(): ReadonlyMap<number, ConversationBlock> {
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

  /** The result and its call as they are when the answer and the item are put together. */
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

/** Commands run by a script in code mode have ids of their own. */
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
