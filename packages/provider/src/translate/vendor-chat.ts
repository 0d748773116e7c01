import type { AssistantMessage, ChatOptions, Message } from '@robota-sdk/agent-core';
import type { NativeWebTools } from './capabilities.ts';
import { fetchOf, type ProviderOptions } from './provider-options.ts';
import { streamChat } from './stream-chat.ts';
import type { Vendor } from './vendor.ts';

/** Asked for where nobody sets a limit: within every current model's reach, and enough for a long reply. */
const DEFAULT_MAX_OUTPUT_TOKENS = 16_384;

/** The `chat` of a vendor: fills in model, limit and web tools, then asks. */
export class VendorChat {
  readonly #vendor: Vendor;
  readonly #options: ProviderOptions;
  readonly #webTools: NativeWebTools;
  readonly #fetch: ReturnType<typeof fetchOf>;

  constructor(vendor: Vendor, options: ProviderOptions, webTools: NativeWebTools) {
    this.#vendor = vendor;
    this.#options = options;
    this.#webTools = webTools;
    this.#fetch = fetchOf(options);
  }

  chat(messages: readonly Message[], options: ChatOptions): Promise<AssistantMessage> {
    const model = options.model ?? this.#options.model ?? this.#vendor.defaultModel;
    const request = {
      model,
      options,
      webSearch: this.#webTools.isSearchOn(options.nativeWebTools),
      maxOutputTokens: options.maxTokens ?? this.#options.maxTokens ?? DEFAULT_MAX_OUTPUT_TOKENS,
    };
    return streamChat({ vendor: this.#vendor, fetch: this.#fetch, request }, messages);
  }
}
