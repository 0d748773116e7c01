import type {
  AssistantMessage,
  ChatOptions,
  Message,
  NativeWebToolsRequest,
  Provider,
  ProviderCapabilities,
  ServerToolUseCallback,
} from '@robota-sdk/agent-core';
import { NativeWebTools } from '../translate/capabilities.ts';
import { VendorChat } from '../translate/vendor-chat.ts';
import type { AnthropicProviderOptions } from './options.ts';
import { createAnthropicVendor } from './vendor.ts';

/** Claude over the Messages API, or any compatible endpoint. */
export class AnthropicProvider implements Provider {
  readonly name = 'anthropic';
  readonly model: string;
  readonly isDefaultModel: boolean;
  readonly modelFamily = 'anthropic';
  onServerToolUse?: ServerToolUseCallback | undefined;
  readonly #webTools = new NativeWebTools('Anthropic', true);
  readonly #chat: VendorChat;

  constructor(options: AnthropicProviderOptions = {}) {
    this.#chat = new VendorChat(createAnthropicVendor(options), options, this.#webTools);
    this.model = this.#chat.model;
    this.isDefaultModel = options.model === undefined;
  }

  /** Turns web search on or off permanently; `configureNativeWebTools` does not override it. */
  set enableWebTools(isOn: boolean) {
    this.#webTools.choose(isOn);
  }

  get enableWebTools(): boolean {
    return this.#webTools.isSearchOn(undefined);
  }

  chat(messages: readonly Message[], options: ChatOptions = {}): Promise<AssistantMessage> {
    return this.#chat.chat(messages, options, this.onServerToolUse);
  }

  supportsTools(): boolean {
    return true;
  }

  validateConfig(): boolean {
    return this.#chat.hasKey;
  }

  getCapabilities(): ProviderCapabilities {
    return this.#webTools.capabilities();
  }

  configureNativeWebTools(request: NativeWebToolsRequest): ProviderCapabilities {
    return this.#webTools.configure(request);
  }
}
