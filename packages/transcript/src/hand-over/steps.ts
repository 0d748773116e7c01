import type {
  ContentPart,
  ConversationBlock,
  SubagentBlock,
  ToolResultBlock,
  ToolUseBlock,
  UserMessageBlock,
} from '../blocks.ts';
import { asArray, asRecord, asString, isRecord, type JsonRecord } from '../json-record.ts';
import { withValidText } from './valid-text.ts';
import { wireId, wireName } from './wire-names.ts';

/** A step of a conversation in a neutral form that every writer accepts. */
export type HandOverStep = PersonStep | ModelStep | SummaryStep;

/** A user message. */
export interface PersonStep {
  readonly role: 'user';
  readonly at: string;
  readonly parts: readonly ContentPart[];
}

/** One model message: text and calls up to the next tool result. */
export interface ModelStep {
  readonly role: 'assistant';
  readonly at: string;
  readonly model: string | undefined;
  readonly pieces: readonly ModelPiece[];
}

/** A summary that replaces everything before it. */
export interface SummaryStep {
  readonly role: 'summary';
  readonly at: string;
  readonly text: string;
}

/** Text, thinking or a call of a model message. */
export type ModelPiece =
  | { readonly type: 'text' | 'thinking'; readonly text: string; readonly at: string }
  | { readonly type: 'call'; readonly call: HandOverCall };

/** A call with its result; id and name are valid for every vendor. */
export interface HandOverCall {
  readonly id: string;
  readonly name: string;
  readonly input: JsonRecord;
  readonly at: string;
  readonly result: CallOutcome;
}

/** The result of a call. */
export interface CallOutcome {
  readonly parts: readonly ContentPart[];
  readonly isError: boolean;
  readonly at: string;
  readonly exitCode?: number | undefined;
  /** Set if the transcript has no result, because the call was interrupted. */
  readonly isMissing?: true | undefined;
}

/** Options of `toSteps`. */
export interface StepsOptions {
  /** Includes everything since the start, also what a compaction replaced. */
  readonly full?: boolean | undefined;
}

/**
 * Converts the conversation from its last compaction on. Results are joined to their calls; a
 * call without one gets an error. A subagent becomes a call of `Agent` with its output. All text is valid Unicode.
 */
export function toSteps(
  blocks: readonly ConversationBlock[],
  { full }: StepsOptions = {},
): HandOverStep[] {
  const { summary, rest } = full ? { summary: undefined, rest: blocks } : sinceCompaction(blocks);
  const collector = new StepCollector(resultsIn(rest));
  if (summary) collector.steps.push(summary);
  for (const block of rest) collector.add(block);
  return collector.steps.map(withValidText);
}

/** What the source's model still sees: the last summary, the blocks the compaction kept, and those after it. */
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
  /** The last number tried for a repeated id. */
  readonly #copies = new Map<string, number>();
  #open: OpenModelStep | undefined;

  constructor(results: ReadonlyMap<string, ToolResultBlock[]>) {
    this.#results = results;
  }

  add(block: ConversationBlock): void {
    switch (block.type) {
      case 'user_message':
        this.#addUser(block);
        break;
      case 'assistant_text':
        if (block.content.trim() === '') return;
        this.#openForText(block.timestamp, block.model).pieces.push(textPiece('text', block));
        break;
      case 'thinking':
        if (block.content.trim() === '') return;
        this.#openForText(block.timestamp).pieces.push(textPiece('thinking', block));
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

  #addUser(block: UserMessageBlock): void {
    const parts = partsOf(block);
    if (parts.length === 0) return;
    this.#open = undefined;
    this.steps.push({ role: 'user', at: block.timestamp, parts });
  }

  #addCall(block: ToolUseBlock | SubagentBlock): void {
    const callId = block.toolUseId ?? block.id;
    const { name, input } = block.type === 'subagent' ? agentCall(block) : toolCall(block);
    const results = this.#results.get(callId) ?? [];
    const own = results.length > 1 ? results.shift() : results[0];
    const call = {
      id: this.#uniqueId(wireId(callId)),
      name,
      input,
      at: block.timestamp,
      result: own ? toOutcome(own) : missingOutcome(block),
    };
    this.#model(block.timestamp).pieces.push({ type: 'call', call });
  }

  /** Text after a call starts a new message, even if the transcript has no result for the call. */
  #openForText(at: string, model?: string): OpenModelStep {
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

  #uniqueId(wanted: string): string {
    let copy = this.#copies.get(wanted) ?? 1;
    let id = copy === 1 ? wanted : wireId(`${wanted}_${copy}`);
    while (this.#takenIds.has(id)) id = wireId(`${wanted}_${++copy}`);
    this.#copies.set(wanted, copy);
    this.#takenIds.add(id);
    return id;
  }
}

function textPiece(
  type: 'text' | 'thinking',
  { content, timestamp }: { readonly content: string; readonly timestamp: string },
): ModelPiece {
  return { type, text: content, at: timestamp };
}

/** Uses the text sent to the model, if the program added files to what was typed. */
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
