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
import type { GoogleProviderOptions } from './options.ts';
import { createGoogleVendor } from './vendor.ts';

/** Gemini over the Generative Language API. */
export class GoogleProvider implements Provider {
  readonly name = 'google';
  readonly model: string;
  readonly isDefaultModel: boolean;
  readonly modelFamily = 'google';
  onServerToolUse?: ServerToolUseCallback | undefined;
  readonly #webTools: NativeWebTools;
  readonly #chat: VendorChat;

  constructor(options: GoogleProviderOptions = {}) {
    this.#webTools = new NativeWebTools('Google', true);
    this.#chat = new VendorChat(createGoogleVendor(options), options, this.#webTools);
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
