import type {
  LanguageModelV3StreamPart,
  LanguageModelV3ToolCall,
  LanguageModelV3ToolResult,
  SharedV3ProviderMetadata,
} from '@ai-sdk/provider';
import type { MessagePart, ToolCall, VendorData } from '@robota-sdk/agent-core';
import { serverCallPart, serverResultPart } from './server-tool-part.ts';
import type { PromptRules } from './to-prompt.ts';
import { toVendorData } from './vendor-options.ts';

interface OpenBlock {
  readonly type: 'text' | 'thinking';
  text: string;
  vendor: VendorData | undefined;
  isComplete: boolean;
}

type DeltaPart = Extract<LanguageModelV3StreamPart, { type: 'text-delta' | 'reasoning-delta' }>;

/** Collects the pieces of a reply in the order they came. */
export class ReplyBuilder {
  readonly #rules: PromptRules;
  readonly #parts: (OpenBlock | MessagePart)[] = [];
  readonly #open = new Map<string, OpenBlock>();
  readonly #calls: ToolCall[] = [];

  constructor(rules: PromptRules) {
    this.#rules = rules;
  }

  startBlock(type: OpenBlock['type'], id: string, metadata?: SharedV3ProviderMetadata): void {
    const block: OpenBlock = { type, text: '', vendor: undefined, isComplete: false };
    this.#open.set(`${type} ${id}`, block);
    this.#parts.push(block);
    this.#learn(block, metadata);
  }

  append(part: DeltaPart): void {
    const type = part.type === 'text-delta' ? 'text' : 'thinking';
    if (!this.#open.has(`${type} ${part.id}`)) this.startBlock(type, part.id);
    const block = this.#open.get(`${type} ${part.id}`);
    if (!block) return;
    block.text += part.delta;
    if (part.providerMetadata) this.#learn(block, part.providerMetadata);
  }

  endBlock(type: OpenBlock['type'], id: string, metadata?: SharedV3ProviderMetadata): void {
    const block = this.#open.get(`${type} ${id}`);
    if (!block) return;
    this.#learn(block, metadata);
    block.isComplete = true;
    // A later request of the same reply counts its blocks from the start again.
    this.#open.delete(`${type} ${id}`);
  }

  addCall(call: LanguageModelV3ToolCall): void {
    if (call.providerExecuted) {
      this.#parts.push(serverCallPart(call, this.#rules.family));
      return;
    }
    const vendor = toVendorData(call.providerMetadata, this.#rules);
    this.#calls.push({
      id: call.toolCallId,
      type: 'function',
      function: { name: call.toolName, arguments: call.input },
      ...(vendor ? { vendor } : {}),
    });
  }

  addServerResult(result: LanguageModelV3ToolResult): void {
    if (result.preliminary) return;
    this.#parts.push(serverResultPart(result, this.#rules.family));
  }

  addImage(mimeType: string, data: string): void {
    this.#parts.push({ type: 'image_inline', mimeType, data });
  }

  get text(): string {
    return this.#parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  }

  get toolCalls(): readonly ToolCall[] {
    return this.#calls;
  }

  /** Undefined when plain text says it all. */
  get parts(): readonly MessagePart[] | undefined {
    const parts = this.#parts
      .map((part) => ('isComplete' in part ? this.#toPart(part) : part))
      .filter((part) => part.type !== 'text' || part.text !== '');
    const isPlain = parts.every((part) => part.type === 'text' && !part.vendor);
    return isPlain ? undefined : parts;
  }

  /** Thinking that was cut off has no valid signature, so it keeps no vendor data. */
  #toPart(block: OpenBlock): MessagePart {
    const { type, text } = block;
    const isUsable = type === 'text' || block.isComplete;
    const unsigned = this.#rules.returnsUnsignedThinking
      ? { family: this.#rules.family, data: {} }
      : undefined;
    const vendor = isUsable
      ? (block.vendor ?? (type === 'thinking' ? unsigned : undefined))
      : undefined;
    return { type, text, ...(vendor ? { vendor } : {}) };
  }

  #learn(block: OpenBlock, metadata: SharedV3ProviderMetadata | undefined): void {
    const news = toVendorData(metadata, this.#rules);
    if (!news) return;
    block.vendor = { family: news.family, data: { ...block.vendor?.data, ...news.data } };
  }
}
