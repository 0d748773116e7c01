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
import { addUsage, toUsageCounts, type UsageCounts } from './usage.ts';
import type { FinishPart, Vendor } from './vendor.ts';

/** Follows one reply: builds it, tells the listeners, and notices when it breaks off. */
export class ReplyReader {
  readonly builder: ReplyBuilder;
  readonly #vendor: Vendor;
  readonly #options: ChatOptions;
  readonly #toolNames = new Map<string, string>();
  readonly #unnamedSearches = new Set<string>();
  #usage: UsageCounts | undefined;
  #earlyUsage: UsageCounts | undefined;
  #isFinished = false;
  requestId: string | undefined;
  stopReason: string | undefined;
  /** What a listener threw; it is the caller's own error, not the vendor's. */
  callbackFailure: unknown;

  constructor(vendor: Vendor, options: ChatOptions) {
    this.#vendor = vendor;
    this.#options = options;
    this.builder = new ReplyBuilder(vendor.promptRules);
  }

  get usage(): UsageCounts | undefined {
    if (!this.#earlyUsage) return this.#usage;
    return addUsage(this.#usage, this.#earlyUsage);
  }

  read(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'text-start':
        this.builder.startBlock('text', part.id, part.providerMetadata);
        break;
      case 'text-delta':
        this.builder.append(part);
        this.#tell(part.delta, this.#options.onTextDelta);
        break;
      case 'text-end':
        this.builder.endBlock('text', part.id, part.providerMetadata);
        break;
      case 'reasoning-start':
        this.builder.startBlock('thinking', part.id, part.providerMetadata);
        break;
      case 'reasoning-delta':
        this.builder.append(part);
        this.#tell(part.delta, this.#options.onThinkingDelta);
        break;
      case 'reasoning-end':
        this.builder.endBlock('thinking', part.id, part.providerMetadata);
        break;
      default:
        this.#readRest(part);
    }
  }

  /** A stream that closes without a finish was cut off. */
  assertFinished(): void {
    if (!this.#isFinished) throw cutOffError(this.#vendor);
    this.#isFinished = false;
  }

  #readRest(part: LanguageModelV3StreamPart): void {
    switch (part.type) {
      case 'tool-input-start':
        if (!part.providerExecuted) this.#toolNames.set(part.id, part.toolName);
        this.#tellArguments(part.id, '');
        break;
      case 'tool-input-delta':
        this.#tellArguments(part.id, part.delta);
        break;
      case 'tool-call':
        this.builder.addCall(part);
        if (part.providerExecuted) this.#hearServerCall(part);
        break;
      case 'tool-result':
        this.builder.addServerResult(part);
        this.#hearServerResult(part);
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
      // Sources, warnings and response ids have no place in a message.
    }
  }

  #finish(part: FinishPart): void {
    if (this.#vendor.isCutOff?.(part)) throw cutOffError(this.#vendor);
    const usage = toUsageCounts(part.usage);
    if (usage) {
      this.#usage = addUsage(this.#usage, usage);
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

  #tell(delta: string, listener: ((delta: string) => void) | undefined): void {
    if (delta === '' || !listener) return;
    this.#guarded(() => listener(delta));
  }

  #tellArguments(id: string, argumentsDelta: string): void {
    const name = this.#toolNames.get(id);
    const listener = this.#options.onToolCallDelta;
    if (name === undefined || !listener) return;
    this.#guarded(() => listener({ id, name, argumentsDelta }));
  }

  /** A vendor that tells the input only with the result is reported then. */
  #hearServerCall(call: LanguageModelV3ToolCall): void {
    const input = parseToolArguments(call.input);
    if (Object.keys(input).length === 0) this.#unnamedSearches.add(call.toolCallId);
    else this.#tellServerTool(call.toolName, input);
  }

  #hearServerResult({ toolCallId, toolName, result }: LanguageModelV3ToolResult): void {
    if (!this.#unnamedSearches.delete(toolCallId)) return;
    const action = isRecord(result) ? result.action : undefined;
    this.#tellServerTool(toolName, isRecord(action) ? action : {});
  }

  #tellServerTool(name: string, input: Readonly<Record<string, unknown>>): void {
    const listener = this.#options.onServerToolUse;
    if (listener) this.#guarded(() => listener(name, input));
  }

  #guarded(callListener: () => void): void {
    try {
      callListener();
    } catch (error) {
      this.callbackFailure = error;
      throw error;
    }
  }
}

/** How the packages report a stream that closed without a finish reason. */
function isEarlyEnd(error: unknown): boolean {
  return InvalidResponseDataError.isInstance(error) && error.data === undefined;
}

function toBase64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64');
}
