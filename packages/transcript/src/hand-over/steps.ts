import type {
  ContentPart,
  ConversationBlock,
  SubagentBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserMessageBlock,
} from '../blocks.ts';
import { asArray, asRecord, asString, isRecord, type JsonRecord } from '../json-record.ts';
import { wireId, wireName } from './wire-names.ts';

/** A conversation as models are given it, whoever had it: what every writer takes. */
export type HandOverStep = PersonStep | ModelStep | SummaryStep;

/** Something a person said, for a hand-over. */
export interface PersonStep {
  readonly role: 'user';
  readonly at: string;
  readonly parts: readonly ContentPart[];
}

/** Words and calls up to the next result of a tool: one message of a model. */
export interface ModelStep {
  readonly role: 'assistant';
  readonly at: string;
  readonly model: string | undefined;
  readonly pieces: readonly ModelPiece[];
}

/** Stands for everything that was said before it. */
export interface SummaryStep {
  readonly role: 'summary';
  readonly at: string;
  readonly text: string;
}

/** Something a model said or asked for, for a hand-over. */
export type ModelPiece =
  | { readonly type: 'text' | 'thinking'; readonly text: string; readonly at: string }
  | { readonly type: 'call'; readonly call: HandOverCall };

/** A call with its result; ids and names are such that every vendor accepts them. */
export interface HandOverCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonRecord;
  readonly at: string;
  readonly result: CallOutcome;
}

/** What a tool call came to, for a hand-over. */
export interface CallOutcome {
  readonly parts: readonly ContentPart[];
  readonly isError: boolean;
  readonly at: string;
  readonly exitCode?: number | undefined;
  /** Set where the transcript has none, because the call was interrupted. */
  readonly isMissing?: true | undefined;
}

/** What turning blocks into steps may be told. */
export interface StepsOptions {
  /** Everything since the start, also what a compaction has replaced. */
  readonly full?: boolean | undefined;
}

/**
 * The conversation from its last compaction on. Results stand with their calls wherever the transcript has them; a
 * call without one gets an error. A subagent is a call of `Agent` with its report.
 */
export function toSteps(
  blocks: readonly ConversationBlock[],
  { full }: StepsOptions = {},
): HandOverStep[] {
  const { summary, rest } = full ? { summary: undefined, rest: blocks } : sinceCompaction(blocks);
  const collector = new StepCollector(resultsIn(rest));
  if (summary) collector.steps.push(summary);
  for (const block of rest) collector.add(block);
  return collector.steps;
}

/** What the model of the source still reads: the last summary, what the compaction kept, and what came after it. */
export function sinceCompaction(blocks: readonly ConversationBlock[]): {
  readonly summary: SummaryStep | undefined;
  readonly rest: readonly ConversationBlock[];
} {
  const at = blocks.findLastIndex((block) => summaryOf(block) !== undefined);
  const block = blocks[at];
  const text = block && summaryOf(block);
  if (block === undefined || text === undefined) return { summary: undefined, rest: blocks };
  const { keptBlockIds } = asRecord(block.metadata?.compaction);
  const kept = new Set(asArray(keptBlockIds));
  const tail = blocks.slice(0, at).filter(({ id }) => kept.has(id));
  const summary = { role: 'summary', at: block.timestamp, text } as const;
  return { summary, rest: [...tail, ...blocks.slice(at + 1)] };
}

function summaryOf(block: ConversationBlock): string | undefined {
  if (block.type !== 'system') return undefined;
  const summary = asString(asRecord(block.metadata?.compaction).summary);
  return summary === '' ? undefined : summary;
}

interface OpenModelStep extends ModelStep {
  model: string | undefined;
  readonly pieces: ModelPiece[];
}

class StepCollector {
  readonly steps: HandOverStep[] = [];
  readonly #results: ReadonlyMap<string, ToolResultBlock[]>;
  readonly #takenIds = new Set<string>();
  #open: OpenModelStep | undefined;

  constructor(results: ReadonlyMap<string, ToolResultBlock[]>) {
    this.#results = results;
  }

  add(block: ConversationBlock): void {
    switch (block.type) {
      case 'user_message':
        this.#addPerson(block);
        break;
      case 'assistant_text':
        if (block.content.trim() === '') return;
        this.#speaker(block.timestamp, block.model).pieces.push(words('text', block));
        break;
      case 'thinking':
        if (block.content.trim() === '') return;
        this.#speaker(block.timestamp).pieces.push(words('thinking', block));
        break;
      case 'tool_use':
      case 'subagent':
        this.#addCall(block);
        break;
      case 'tool_result':
        this.#open = undefined;
        break;
      case 'system':
        break;
    }
  }

  #addPerson(block: UserMessageBlock): void {
    const parts = partsOf(block);
    if (parts.length === 0) return;
    this.#open = undefined;
    this.steps.push({ role: 'user', at: block.timestamp, parts });
  }

  #addCall(block: ToolUseBlock | SubagentBlock): void {
    const asked = block.toolUseId ?? block.id;
    const { name, input } = block.type === 'subagent' ? agentCall(block) : toolCall(block);
    const results = this.#results.get(asked) ?? [];
    const own = results.length > 1 ? results.shift() : results[0];
    const call = {
      id: this.#freeId(wireId(asked)),
      name,
      input,
      at: block.timestamp,
      result: own ? toOutcome(own) : missingOutcome(block),
    };
    this.#model(block.timestamp).pieces.push({ type: 'call', call });
  }

  /** Words after a call were said when it was answered, also where the transcript has no result of its own for it. */
  #speaker(at: string, model?: string): OpenModelStep {
    if (this.#open?.pieces.at(-1)?.type === 'call') this.#open = undefined;
    return this.#model(at, model);
  }

  #model(at: string, model?: string): OpenModelStep {
    if (this.#open === undefined) {
      this.#open = { role: 'assistant', at, model: undefined, pieces: [] };
      this.steps.push(this.#open);
    }
    this.#open.model = model ?? this.#open.model;
    return this.#open;
  }

  #freeId(wanted: string): string {
    let id = wanted;
    for (let copy = 2; this.#takenIds.has(id); copy++) id = wireId(`${wanted}_${copy}`);
    this.#takenIds.add(id);
    return id;
  }
}

function words(
  type: 'text' | 'thinking',
  { content, timestamp }: { readonly content: string; readonly timestamp: string },
): ModelPiece {
  return { type, text: content, at: timestamp };
}

/** What the model was sent, where the program added files to what was typed. */
function partsOf({ content, metadata }: UserMessageBlock): readonly ContentPart[] {
  const given = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content;
  const sent = asString(metadata?.sent);
  const parts =
    sent === undefined
      ? given
      : [{ type: 'text' as const, text: sent }, ...given.filter(({ type }) => type !== 'text')];
  return parts.filter((part) => part.type !== 'text' || part.text !== '');
}

function toolCall({ toolName, input }: ToolUseBlock) {
  return { name: wireName(toolName), input };
}

function agentCall({ name, input }: SubagentBlock) {
  const about = { description: name ?? 'subagent', prompt: input };
  return { name: 'Agent', input: name === undefined ? about : { ...about, subagent_type: name } };
}

function toOutcome({ output, isError, timestamp, metadata }: ToolResultBlock): CallOutcome {
  const exitCode = typeof metadata?.exitCode === 'number' ? metadata.exitCode : undefined;
  return { parts: outputParts(output), isError, at: timestamp, exitCode };
}

function missingOutcome(block: ToolUseBlock | SubagentBlock): CallOutcome {
  const at = block.timestamp;
  if (block.type === 'subagent' && block.output !== undefined) {
    return { parts: outputParts(block.output), isError: block.status === 'error', at };
  }
  const text = 'No result was recorded: the call was interrupted.';
  return { parts: [{ type: 'text', text }], isError: true, at, isMissing: true };
}

function outputParts(output: unknown): readonly ContentPart[] {
  if (typeof output === 'string') return output === '' ? [] : [{ type: 'text', text: output }];
  if (output === undefined || output === null) return [];
  if (Array.isArray(output) && output.every(isContentPart)) return output;
  return [{ type: 'text', text: JSON.stringify(output) }];
}

function isContentPart(value: unknown): value is ContentPart {
  if (!isRecord(value)) return false;
  if (value.type === 'text') return typeof value.text === 'string';
  const isMedia = value.type === 'image' || value.type === 'document';
  return isMedia && typeof asRecord(value.source).data === 'string';
}

function resultsIn(blocks: readonly ConversationBlock[]): Map<string, ToolResultBlock[]> {
  const results = new Map<string, ToolResultBlock[]>();
  for (const block of blocks) {
    if (block.type !== 'tool_result') continue;
    const known = results.get(block.toolUseId);
    if (known) known.push(block);
    else results.set(block.toolUseId, [block]);
  }
  return results;
}
