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

/** Collects the parts of a reply in order. */
export class ReplyBuilder {
  readonly #rules: PromptRules;
  readonly #parts: (OpenBlock | MessagePart)[] = [];
  readonly #open = new Map<string, OpenBlock>();
  readonly #calls: ToolCall[] = [];
  readonly #callIds = new Set<string>();

  constructor(rules: PromptRules) {
    this.#rules = rules;
  }

  startBlock(type: OpenBlock['type'], id: string, metadata?: SharedV3ProviderMetadata): void {
    const block: OpenBlock = { type, text: '', vendor: undefined, isComplete: false };
    this.#open.set(`${type} ${id}`, block);
    this.#parts.push(block);
    this.#addVendorData(block, metadata);
  }

  append(part: DeltaPart): void {
    const type = part.type === 'text-delta' ? 'text' : 'thinking';
    if (!this.#open.has(`${type} ${part.id}`)) this.startBlock(type, part.id);
    const block = this.#open.get(`${type} ${part.id}`);
    if (!block) return;
    block.text += part.delta;
    if (part.providerMetadata) this.#addVendorData(block, part.providerMetadata);
  }

  endBlock(type: OpenBlock['type'], id: string, metadata?: SharedV3ProviderMetadata): void {
    const block = this.#open.get(`${type} ${id}`);
    if (!block) return;
    this.#addVendorData(block, metadata);
    block.isComplete = true;
    // A continued request of the same reply numbers its blocks from the start again.
    this.#open.delete(`${type} ${id}`);
  }

  addCall(call: LanguageModelV3ToolCall): void {
    if (call.providerExecuted) {
      this.#parts.push(serverCallPart(call, this.#rules.family));
      return;
    }
    const vendor = toVendorData(call.providerMetadata, this.#rules);
    this.#calls.push({
      id: this.#callId(call.toolCallId),
      type: 'function',
      function: { name: call.toolName, arguments: call.input },
      ...(vendor ? { vendor } : {}),
    });
  }

  /** Gateways and small models repeat ids or leave them out; every vendor refuses a history with such calls. */
  #callId(given: string): string {
    const wanted = given === '' ? `call_${this.#calls.length + 1}` : given;
    let id = wanted;
    for (let copy = 2; this.#callIds.has(id); copy++) id = `${wanted}_${copy}`;
    this.#callIds.add(id);
    return id;
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

  /** `undefined` if the reply is plain text. */
  get parts(): readonly MessagePart[] | undefined {
    const parts = this.#parts
      .map((part) => ('isComplete' in part ? this.#toPart(part) : part))
      .filter((part) => part.type !== 'text' || part.text !== '');
    const isPlain = parts.every((part) => part.type === 'text' && !part.vendor);
    return isPlain ? undefined : parts;
  }

  /** Incomplete thinking has no valid signature, so its vendor data is dropped. */
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

  #addVendorData(block: OpenBlock, metadata: SharedV3ProviderMetadata | undefined): void {
    const added = toVendorData(metadata, this.#rules);
    if (!added) return;
    block.vendor = { family: added.family, data: { ...block.vendor?.data, ...added.data } };
  }
}
