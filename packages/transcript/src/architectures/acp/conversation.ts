import type {
  AssistantTextBlock,
  ConversationBlock,
  SystemSubtype,
  ThinkingBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../../blocks.ts';
import { asString, compact, type JsonRecord } from '../../json-record.ts';
import type { SessionMetadata } from '../../session-metadata.ts';
import type { StreamEvent } from '../../stream-events.ts';
import { callInputOf, callNameOf, callOutputOf, terminalTextOf } from './acp-call.ts';

type TextBlock = AssistantTextBlock | ThinkingBlock;

/** The live state of one session: at most one open text block, and calls until they have a result. */
export class AcpConversation {
  readonly #now: () => string;
  /** Prefix that keeps ids unique across restarts of the translator. */
  readonly #idPrefix = globalThis.crypto.randomUUID().slice(0, 8);
  readonly #calls = new Map<string, ToolUseBlock>();
  readonly #open = new Set<string>();
  /** Terminal output of calls so far. */
  readonly #printed = new Map<string, string>();
  /** All call ids so far; some agents reuse one in a later turn. */
  readonly #usedIds = new Set<string>();
  #text: TextBlock | undefined;
  #messageId: string | undefined;
  #count = 0;

  constructor(now: () => string) {
    this.#now = now;
  }

  /** Appends to the open text; another kind or message id starts a new block. */
  appendText(
    type: TextBlock['type'],
    { text, messageId }: { readonly text: string; readonly messageId: string | undefined },
  ): StreamEvent[] {
    const isSame =
      this.#text?.type === type && (messageId === undefined || messageId === this.#messageId);
    if (isSame) return text === '' ? [] : this.#grow(text);
    if (text === '') return [];
    const closed = this.closeText();
    const block: TextBlock = { type, id: this.#newId(), timestamp: this.#now(), content: '' };
    this.#text = block;
    this.#messageId = messageId;
    return [...closed, { type: 'block_start', block, conversationId: MAIN }, ...this.#grow(text)];
  }

  closeText(): StreamEvent[] {
    const open = this.#text;
    this.#text = undefined;
    return open === undefined ? [] : [complete(open)];
  }

  addBlock(block: BlockContent): StreamEvent[] {
    const added = { ...block, id: this.#newId(), timestamp: this.#now() } as ConversationBlock;
    return [...this.closeText(), complete(added)];
  }

  notice(subtype: SystemSubtype, message: string): StreamEvent[] {
    return this.addBlock({ type: 'system', subtype, message });
  }

  metadata(metadata: SessionMetadata): StreamEvent[] {
    const isEmpty = Object.keys(metadata).length === 0;
    return isEmpty ? [] : [{ type: 'metadata_update', metadata, conversationId: MAIN }];
  }

  /** A new call or an update of one; a final status adds the result. */
  updateCall(callId: string, call: JsonRecord): StreamEvent[] {
    const known = this.#calls.get(callId);
    const events =
      known === undefined ? this.#startCall(callId, call) : this.#applyUpdate(known, call);
    const printed = (this.#printed.get(callId) ?? '') + terminalTextOf(call);
    this.#printed.set(callId, printed);
    if (call.status !== 'completed' && call.status !== 'failed') return events;
    const isError = call.status === 'failed';
    const output = callOutputOf(call);
    return [
      ...events,
      ...this.#answer(callId, { output: output === '' ? printed : output, isError }),
    ];
  }

  /** The call waits for permission. */
  awaitAnswer(callId: string, call: JsonRecord): StreamEvent[] {
    return this.updateCall(callId, { ...call, status: 'pending' });
  }

  /** Agents resend the whole plan on every change; it stays where it first appeared in the turn. */
  plan(steps: readonly JsonRecord[]): StreamEvent[] {
    const known = this.#calls.get(PLAN);
    const input = { plan: steps };
    if (known !== undefined) {
      const block: ToolUseBlock = { ...known, input };
      this.#calls.set(PLAN, block);
      return [update(block.id, { input })];
    }
    const id = this.#newId();
    const block: ToolUseBlock = {
      type: 'tool_use',
      id,
      timestamp: this.#now(),
      toolName: 'update_plan',
      toolUseId: id,
      input,
      status: 'success',
    };
    this.#calls.set(PLAN, block);
    return [...this.closeText(), complete(block), complete(this.#result(block, '', false))];
  }

  /** The agent reports the end of the turn: open calls will not get a result any more. */
  settleCalls(): StreamEvent[] {
    const output = 'The agent did not report a result.';
    return [...this.#open].flatMap((callId) => this.#answer(callId, { output, isError: true }));
  }

  /** Ends the turn: open calls become pending, and the next turn has its own calls and plan. */
  endTurn(): StreamEvent[] {
    const open = [...this.#open].flatMap((callId) => {
      const block = this.#calls.get(callId);
      return block === undefined ? [] : [update(block.id, { status: 'pending' })];
    });
    this.#open.clear();
    this.#printed.clear();
    this.#calls.clear();
    return [...this.closeText(), ...open];
  }

  #grow(delta: string): StreamEvent[] {
    const open = this.#text;
    if (open === undefined) return [];
    this.#text = { ...open, content: open.content + delta };
    return [{ type: 'text_delta', blockId: open.id, delta, conversationId: MAIN }];
  }

  #startCall(callId: string, call: JsonRecord): StreamEvent[] {
    const title = asString(call.title);
    const id = this.#newId();
    const block: ToolUseBlock = compact({
      type: 'tool_use' as const,
      id,
      timestamp: this.#now(),
      toolName: callNameOf(call) ?? title ?? 'tool',
      toolUseId: this.#usedIds.has(callId) ? `${callId}@${id}` : callId,
      input: callInputOf(call),
      status: call.status === 'in_progress' ? ('running' as const) : ('pending' as const),
      description: title,
    });
    this.#usedIds.add(callId);
    this.#calls.set(callId, block);
    this.#open.add(callId);
    return [...this.closeText(), { type: 'block_start', block, conversationId: MAIN }];
  }

  /** Agents report a call before its input is known, and its name at any time. */
  #applyUpdate(known: ToolUseBlock, call: JsonRecord): StreamEvent[] {
    const input = callInputOf({ ...call, kind: undefined });
    const description = asString(call.title);
    const toolName = callNameOf({ ...call, kind: undefined });
    const status = call.status === 'in_progress' ? ('running' as const) : undefined;
    const hasInput = Object.keys(input).length > 0 && !isEqual(input, known.input);
    const updates = compact({
      input: hasInput ? input : undefined,
      description: description === known.description ? undefined : description,
      toolName: toolName === known.toolName ? undefined : toolName,
      status: status === known.status ? undefined : status,
    });
    if (Object.keys(updates).length === 0) return [];
    for (const [callId, block] of this.#calls) {
      if (block.id === known.id) this.#calls.set(callId, { ...block, ...updates });
    }
    return [update(known.id, updates)];
  }

  #answer(callId: string, answer: { output: unknown; isError: boolean }): StreamEvent[] {
    const block = this.#calls.get(callId);
    // A call gets one result, whatever is reported afterwards.
    if (block === undefined || !this.#open.delete(callId)) return [];
    const settled: ToolUseBlock = { ...block, status: answer.isError ? 'error' : 'success' };
    this.#calls.set(callId, settled);
    const result = this.#result(settled, answer.output, answer.isError);
    return [...this.closeText(), complete(settled), complete(result)];
  }

  #result({ id, toolUseId }: ToolUseBlock, output: unknown, isError: boolean): ToolResultBlock {
    const timestamp = this.#now();
    return { type: 'tool_result', id: `${id}:result`, timestamp, toolUseId, output, isError };
  }

  #newId(): string {
    this.#count += 1;
    return `${this.#idPrefix}:${this.#count}`;
  }
}

/** A block without id and timestamp, which are added here. */
type BlockContent = {
  [Block in ConversationBlock as Block['type']]: Omit<Block, 'id' | 'timestamp'>;
}[ConversationBlock['type']];

function complete(block: ConversationBlock): StreamEvent {
  return { type: 'block_complete', blockId: block.id, block, conversationId: MAIN };
}

function update(blockId: string, updates: Partial<Omit<ToolUseBlock, 'id' | 'type'>>): StreamEvent {
  return { type: 'block_update', blockId, updates, conversationId: MAIN };
}

function isEqual(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

const MAIN = 'main';
/** Cannot collide with a call, since the ids of agents are not empty. */
const PLAN = '';
