import type { ConversationBlock, ToolExecutionStatus } from '../../blocks.ts';
import { applyStreamEvent } from '../../fold/apply-stream-event.ts';
import { type ConversationState, EMPTY_CONVERSATION } from '../../fold/conversation-state.ts';
import { isBlock } from '../../is-block.ts';
import { asString, compact, isRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import type { ParsedTranscript } from '../../parsed-transcript.ts';
import { SkipCounter } from '../../skip-counter.ts';
import type { BlockUpdateEvent, StreamEvent } from '../../stream-events.ts';
import type {
  SubagentReader,
  TranscriptParser,
  TranscriptReader,
} from '../../transcript-parser.ts';

/** Reads our own log of a session: folds the logged events again. */
export const acpTranscriptParser: TranscriptParser = {
  start: () => new AcpTranscriptReader(),
};

class AcpTranscriptReader implements TranscriptReader {
  readonly #skipped = new SkipCounter();
  readonly #offsets = new Map<string, number>();
  /** Every block as it was last written, apart from streamed text. */
  readonly #blocks = new Map<string, ConversationBlock>();
  #state: ConversationState = EMPTY_CONVERSATION;

  line(text: string, offset = -1): void {
    const record = parseLine(text);
    if (record === 'blank') return;
    if (record === 'unreadable') this.#skipped.line();
    else if (record.type === 'acp_session') this.#begin(record);
    else if (record.type === 'event' && isRecord(record.event))
      this.#applyEvent(record.event, offset);
    else this.#skipped.kind(asString(record.type) ?? 'unknown');
  }

  /** ACP does not report subagent threads. */
  subagent(): SubagentReader {
    return { line: () => this.#skipped.line() };
  }

  end(): ParsedTranscript {
    const { blocks: folded, subagents, superseded, metadata } = this.#state;
    const blocks = withAnsweredCalls(folded);
    return {
      blocks,
      subagents,
      superseded,
      metadata,
      skipped: this.#skipped.total(),
      offsets: blocks.map(({ id }) => this.#offsets.get(id) ?? -1),
    };
  }

  #begin({ sessionId, cwd, agent }: JsonRecord): void {
    const metadata = compact({
      sessionId: asString(sessionId),
      cwd: asString(cwd),
      agent: asString(agent),
    });
    this.#fold({ type: 'metadata_update', metadata, conversationId: 'main' });
  }

  #applyEvent(record: JsonRecord, offset: number): void {
    if (!isEvent(record)) {
      this.#skipped.kind(`event/${asString(record.type) ?? 'unknown'}`);
      return;
    }
    const event: StreamEvent = record;
    if (event.type === 'block_update' && !this.#update(event)) {
      this.#skipped.kind('event/block_update');
      return;
    }
    if ('block' in event) {
      if (!this.#offsets.has(event.block.id)) this.#offsets.set(event.block.id, offset);
      this.#blocks.set(event.block.id, event.block);
    }
    this.#fold(event);
  }

  /** Whether the update leaves a known block a block, and the same one. */
  #update({ blockId, updates: { superseded, ...fields } }: BlockUpdateEvent): boolean {
    const block = this.#blocks.get(blockId);
    if (block === undefined) return false;
    const isReason = superseded === undefined || superseded === null || REASONS.has(superseded);
    const updated = { ...block, ...fields };
    const isKnown = Object.keys(fields).every((name) => UPDATED_FIELDS.has(name));
    const isSame =
      isKnown && isBlock(updated) && updated.id === blockId && updated.type === block.type;
    if (!isSame || !isReason) return false;
    this.#blocks.set(blockId, updated);
    return true;
  }

  #fold(event: StreamEvent): void {
    this.#state = applyStreamEvent(this.#state, event);
  }
}

/** The line with the end of a call can be lost although its result is there. */
function withAnsweredCalls(blocks: readonly ConversationBlock[]): readonly ConversationBlock[] {
  const answers = new Map<string, ToolExecutionStatus>();
  for (const block of blocks) {
    if (block.type === 'tool_result') {
      answers.set(block.toolUseId, block.isError ? 'error' : 'success');
    }
  }
  return blocks.map((block) => {
    if (block.type !== 'tool_use' || !OPEN.has(block.status)) return block;
    const status = answers.get(block.toolUseId);
    return status === undefined ? block : { ...block, status };
  });
}

const OPEN: ReadonlySet<ToolExecutionStatus> = new Set(['pending', 'running'] as const);

/** We wrote the lines, but they may be truncated or changed, so everything the fold relies on is checked. */
function isEvent(event: JsonRecord): event is JsonRecord & StreamEvent {
  if (event.conversationId !== 'main') return false;
  const hasId = typeof event.blockId === 'string';
  switch (event.type) {
    case 'block_start':
      return isBlock(event.block);
    case 'block_complete':
      return hasId && isBlock(event.block);
    case 'text_delta':
      return hasId && typeof event.delta === 'string';
    case 'block_update':
      return hasId && isRecord(event.updates);
    case 'metadata_update':
      return isMetadata(event.metadata);
    default:
      return false;
  }
}

function isMetadata(metadata: unknown): boolean {
  if (!isRecord(metadata)) return false;
  return Object.entries(metadata).every(([name, value]) => FACTS.get(name)?.(value) ?? false);
}

/** Fields of blocks that change while an agent works. */
const UPDATED_FIELDS: ReadonlySet<string> = new Set([
  'content',
  'description',
  'displayName',
  'durationMs',
  'input',
  'isError',
  'message',
  'metadata',
  'model',
  'name',
  'output',
  'status',
  'subagentId',
  'summary',
  'toolName',
]);

const REASONS: ReadonlySet<unknown> = new Set(['rewind', 'retry', 'branch', 'reset']);

const isText = (value: unknown) => typeof value === 'string';

/** What a session of an ACP agent is known to tell about itself. */
const FACTS: ReadonlyMap<string, (value: unknown) => boolean> = new Map([
  ['sessionId', isText],
  ['cwd', isText],
  ['agent', isText],
  ['model', isText],
  ['mode', isText],
  ['title', isText],
  ['commands', Array.isArray],
  ['contextTokens', Number.isFinite],
  ['contextWindow', Number.isFinite],
  ['costUSD', Number.isFinite],
  ['usage', isUsage],
]);

function isUsage(usage: unknown): boolean {
  if (!isRecord(usage)) return false;
  const { inputTokens, outputTokens, totalTokens, ...others } = usage;
  const counts = [inputTokens, outputTokens, totalTokens, ...Object.values(others)];
  return counts.every(Number.isFinite);
}
