import {
  AISDKError,
  InvalidResponseDataError,
  type LanguageModelV3StreamPart,
  type LanguageModelV3ToolCall,
  type LanguageModelV3ToolResult,
} from '@ai-sdk/provider';
import type { ChatOptions } from '@robota-sdk/agent-core';
import { ReplyBuilder } from './reply-builder.ts';
import { cutOffError, malformed, toProviderError } from './to-provider-error.ts';
import { isRecord, parseToolArguments } from './tool-arguments.ts';
import { sumTokens, toUsageCounts, type UsageCounts } from './usage.ts';
import type { FinishPart, Vendor } from './vendor.ts';

/** Reads one reply: builds it, calls the listeners, and detects when it is cut off. */
export class ReplyReader {
  readonly builder: ReplyBuilder;
  readonly #vendor: Vendor;
  readonly #options: ChatOptions;
  readonly #toolNames = new Map<string, string>();
  readonly #callsWithoutInput = new Set<string>();
  #usage: UsageCounts | undefined;
  #earlyUsage: UsageCounts | undefined;
  #isFinished = false;
  requestId: string | undefined;
  stopReason: string | undefined;
  /** The error a listener threw, which is the caller's own, not the vendor's. */
  callbackFailure: unknown;

  constructor(vendor: Vendor, options: ChatOptions) {
    this.#vendor = vendor;
    this.#options = options;
    this.builder = new ReplyBuilder(vendor.promptRules);
  }

  get usage(): UsageCounts | undefined {
    if (!this.#earlyUsage) return this.#usage;
    return sumTokens(this.#usage, this.#earlyUsage);
  }

  read(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-start':
        this.builder.startBlock('text', part.id, part.providerMetadata);
        break;
      case 'text-delta':
        this.builder.append(part);
        this.#emitDelta(part.delta, this.#options.onTextDelta);
        break;
      case 'text-end':
        this.builder.endBlock('text', part.id, part.providerMetadata);
        break;
      case 'reasoning-start':
        this.builder.startBlock('thinking', part.id, part.providerMetadata);
        break;
      case 'reasoning-delta':
        this.builder.append(part);
        this.#emitDelta(part.delta, this.#options.onThinkingDelta);
        break;
      case 'reasoning-end':
        this.builder.endBlock('thinking', part.id, part.providerMetadata);
        break;
      default:
        this.#readRest(part);
    }
  }

  /** A stream that ends without a finish part was cut off. */
  assertFinished(): void {
    if (!this.#isFinished) throw cutOffError(this.#vendor);
    this.#isFinished = false;
  }

  #readRest(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'tool-input-start':
        if (!part.providerExecuted) this.#toolNames.set(part.id, part.toolName);
        this.#emitArguments(part.id, '');
        break;
      case 'tool-input-delta':
        this.#emitArguments(part.id, part.delta);
        break;
      case 'tool-call':
        this.builder.addCall(part);
        if (part.providerExecuted) this.#readServerCall(part);
        break;
      case 'tool-result':
        this.builder.addServerResult(part);
        this.#readServerResult(part);
        break;
      case 'file':
        this.builder.addImage(part.mediaType, toBase64(part.data));
        break;
      case 'raw':
        this.#earlyUsage = this.#vendor.readEarlyUsage?.(part.rawValue) ?? this.#earlyUsage;
        break;
      case 'finish':
        this.#finish(part);
        break;
      case 'error':
        this.#fail(part.error);
        break;
      default:
      // Sources, warnings and response ids are not part of a message.
    }
  }

  #finish(part: FinishPart): void {
    if (this.#vendor.isCutOff?.(part)) throw cutOffError(this.#vendor);
    const usage = toUsageCounts(part.usage);
    if (usage) {
      this.#usage = sumTokens(this.#usage, usage);
      this.#earlyUsage = undefined;
    }
    this.stopReason = part.finishReason.raw ?? part.finishReason.unified;
    this.#isFinished = true;
  }

  #fail(error: unknown): void {
    const value = AISDKError.isInstance(error) && 'value' in error ? error.value : undefined;
    if (value !== undefined && this.#vendor.isUnknownEvent?.(value)) return;
    if (AISDKError.isInstance(error) && 'value' in error) {
      throw malformed('an event does not have the agreed form', this.#vendor);
    }
    if (isEarlyEnd(error)) throw cutOffError(this.#vendor);
    throw toProviderError(error, this.#vendor);
  }

  #emitDelta(delta: string, listener: ((delta: string) => void) | undefined): void {
    if (delta === '' || !listener) return;
    this.#callListener(() => listener(delta));
  }

  #emitArguments(id: string, argumentsDelta: string): void {
    const name = this.#toolNames.get(id);
    const listener = this.#options.onToolCallDelta;
    if (name === undefined || !listener) return;
    this.#callListener(() => listener({ id, name, argumentsDelta }));
  }

  /** A call without input is reported with its result, where some vendors put the input. */
  #readServerCall(call: LanguageModelV3ToolCall): void {
    const input = parseToolArguments(call.input);
    if (Object.keys(input).length === 0) this.#callsWithoutInput.add(call.toolCallId);
    else this.#emitServerTool(call.toolName, input);
  }

  #readServerResult({ toolCallId, toolName, result }: LanguageModelV3ToolResult): void {
    if (!this.#callsWithoutInput.delete(toolCallId)) return;
    const action = isRecord(result) ? result.action : undefined;
    this.#emitServerTool(toolName, isRecord(action) ? action : {});
  }

  #emitServerTool(name: string, input: Readonly<Record<string, unknown>>): void {
    const listener = this.#options.onServerToolUse;
    if (listener) this.#callListener(() => listener(name, input));
  }

  #callListener(callListener: () => void): void {
    try {
      callListener();
    } catch (error) {
      this.callbackFailure = error;
      throw error;
    }
  }
}

/** The packages' error for a stream that ended without a finish reason. */
function isEarlyEnd(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}

function toBase64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}
