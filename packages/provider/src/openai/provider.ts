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

/** OpenAI over Responses, or Chat Completions for every endpoint that speaks it. */
export class OpenAIProvider implements Provider {
  readonly name = 'openai';
  readonly model: string;
  readonly isDefaultModel: boolean;
  /** Another address that speaks the protocol may serve anybody's models. */
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

  /** Switches web search on or off for good; sessions that configure the provider leave it so. */
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
