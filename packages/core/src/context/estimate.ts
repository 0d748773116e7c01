import type { Message, MessagePart } from '../messages/message.ts';
import { readUsage } from './usage.ts';

/** Estimated tokens of a conversation, and the numbers it is based on. */
export interface ContextEstimate {
  readonly usedTokens: number;
  /** From the length of the messages as JSON text. */
  readonly serializedTokens: number;
  /** Tokens the vendor reported for the latest reply. */
  readonly providerTokens?: number;
  readonly usageFloorTokens?: number;
}

/** Options for estimating tokens. */
export interface EstimateOptions {
  /** Minimum number of tokens known to be in use. */
  readonly usageFloorTokens?: number | undefined;
}

/** One token for every four characters of the messages' JSON text. */
export function estimateSerializedContextTokens(messages: readonly Message[]): number {
  let characters = 0;
  for (const message of messages) characters += serializedLength(message);
  return tokensOf(characters, messages.length);
}

/** If the last message reports usage, that is exact; with later messages the largest estimate is used. */
export function estimateContextTokensFromMessages(
  messages: readonly Message[],
  options: EstimateOptions = {},
): ContextEstimate {
  const latest = latestProviderTokens(messages);
  return combineEstimates({
    serializedTokens: estimateSerializedContextTokens(messages),
    providerTokens: latest?.tokens,
    usageIsLast: latest?.isLast === true,
    usageFloorTokens: options.usageFloorTokens,
  });
}

export interface EstimateInputs {
  readonly serializedTokens: number;
  readonly providerTokens: number | undefined;
  readonly usageIsLast: boolean;
  readonly usageFloorTokens: number | undefined;
}

export function combineEstimates(inputs: EstimateInputs): ContextEstimate {
  const { serializedTokens, providerTokens, usageIsLast, usageFloorTokens } = inputs;
  const known = Math.max(providerTokens ?? 0, usageFloorTokens ?? 0);
  return {
    usedTokens: usageIsLast ? known : Math.max(serializedTokens, known),
    serializedTokens,
    ...(providerTokens !== undefined && { providerTokens }),
    ...(usageFloorTokens !== undefined && { usageFloorTokens }),
  };
}

/** Tokens of `count` messages whose JSON texts have `characters` characters together. */
export function tokensOf(characters: number, count: number): number {
  return Math.ceil((characters + 2 + Math.max(0, count - 1)) / CHARACTERS_PER_TOKEN);
}

/** The length of a message's JSON text; measured once, since messages never change. */
export function serializedLength(message: Message): number {
  const known = lengths.get(message);
  if (known !== undefined) return known;
  const length = JSON.stringify(hasInlineImage(message) ? withoutImages(message) : message).length;
  lengths.set(message, length);
  return length;
}

/** Total tokens the vendor reported up to this reply, unless earlier messages were replaced since. */
export function providerTokensOf(message: Message): number | undefined {
  if (message.metadata?.isUsageStale === true) return undefined;
  const usage = readUsage(message);
  return usage && (usage.totalTokens ?? usage.inputTokens + usage.outputTokens);
}

/** Marks a reply whose earlier messages were replaced: its usage no longer measures the context. */
export function withStaleUsage(message: Message): Message {
  if (providerTokensOf(message) === undefined) return message;
  return { ...message, metadata: { ...message.metadata, isUsageStale: true } };
}

const CHARACTERS_PER_TOKEN = 4;
/** Vendors charge an image by its pixels, about 1,600 tokens for a full one, not by its base64 text. */
const IMAGE_CHARACTERS = 1_600 * CHARACTERS_PER_TOKEN;
const lengths = new WeakMap<Message, number>();

function latestProviderTokens(messages: readonly Message[]) {
  for (let index = messages.length - 1; index >= 0; index--) {
    const message = messages[index];
    const tokens = message && providerTokensOf(message);
    if (tokens !== undefined) return { tokens, isLast: index === messages.length - 1 };
  }
  return undefined;
}

function hasInlineImage(message: Message): boolean {
  return message.parts?.some(isLargeImage) === true;
}

function isLargeImage(part: MessagePart): boolean {
  const isInline = part.type === 'image_inline' || part.type === 'file_inline';
  return isInline && part.data.length > IMAGE_CHARACTERS;
}

function withoutImages(message: Message): Message {
  const parts = message.parts?.map((part) =>
    isLargeImage(part) ? { ...part, data: '0'.repeat(IMAGE_CHARACTERS) } : part,
  );
  return { ...message, ...(parts && { parts }) };
}
