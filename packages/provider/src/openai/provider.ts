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
import type { OpenAIProviderOptions } from './options.ts';
import { apiOf, createOpenAIVendor } from './vendor.ts';

/** OpenAI over Responses, or any endpoint with Chat Completions. */
export class OpenAIProvider implements Provider {
  readonly name = 'openai';
  readonly model: string;
  readonly isDefaultModel: boolean;
  /** `null` for compatible endpoints, which may serve models of any vendor. */
  readonly modelFamily: 'openai' | null;
  onServerToolUse?: ServerToolUseCallback | undefined;
  readonly #webTools: NativeWebTools;
  readonly #chat: VendorChat;

  constructor(options: OpenAIProviderOptions = {}) {
    this.#webTools = new NativeWebTools('OpenAI', apiOf(options) === 'responses');
    this.#chat = new VendorChat(createOpenAIVendor(options), options, this.#webTools);
    this.model = this.#chat.model;
    this.isDefaultModel = options.model === undefined;
    this.modelFamily = apiOf(options) === 'compatible' ? null : 'openai';
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
