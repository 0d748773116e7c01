import {
  type AssistantMessage,
  type ChatOptions,
  getModelLimits,
  type Message,
  type ServerToolUseCallback,
} from '@robota-sdk/agent-core';
import type { NativeWebTools } from './capabilities.ts';
import { fetchOf, type ProviderOptions } from './provider-options.ts';
import { streamChat } from './stream-chat.ts';
import type { Vendor } from './vendor.ts';

/** Implements `chat` for a vendor: fills in model, limit and web tools. */
export class VendorChat {
  readonly hasKey: boolean;
  /** Used when a call names no model. */
  readonly model: string;
  readonly #vendor: Vendor;
  readonly #options: ProviderOptions;
  readonly #webTools: NativeWebTools;
  readonly #fetch: ReturnType<typeof fetchOf>;

  constructor(vendor: Vendor, options: ProviderOptions, webTools: NativeWebTools) {
    this.#vendor = vendor;
    this.hasKey = vendor.hasKey;
    this.model = options.model ?? vendor.defaultModel;
    this.#options = options;
    this.#webTools = webTools;
    this.#fetch = fetchOf(options);
  }

  chat(
    messages: readonly Message[],
    given: ChatOptions,
    fallback: ServerToolUseCallback | undefined,
  ): Promise<AssistantMessage> {
    const options = fallback ? { onServerToolUse: fallback, ...given } : given;
    const model = options.model ?? this.model;
    const limit = options.maxTokens ?? this.#options.maxTokens;
    const request = {
      model,
      options,
      webSearch: this.#webTools.isSearchOn(options.nativeWebTools),
      // Always sent, because a package's default for an unknown model may be rejected by the vendor.
      maxOutputTokens: limit ?? getModelLimits(model).maxOutputTokens,
    };
    return streamChat({ vendor: this.#vendor, fetch: this.#fetch, request }, messages);
  }
}
