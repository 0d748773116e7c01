import type {
  AssistantMessage,
  ChatOptions,
  Message,
  NativeWebToolsRequest,
  Provider,
  ProviderCapabilities,
  ServerToolUseCallback,
} from '@robota-sdk/agent-core';
import type { NativeWebTools } from './capabilities.ts';
import type { ProviderOptions } from './provider-options.ts';

/** What a provider needs of `VendorChat`, whose own type would bring those of the vendors' packages into the public API. */
interface ProviderChat {
  readonly model: string;
  readonly hasKey: boolean;
  chat(
    messages: readonly Message[],
    options: ChatOptions,
    fallback: ServerToolUseCallback | undefined,
  ): Promise<AssistantMessage>;
}

interface VendorProviderParts {
  readonly chat: ProviderChat;
  readonly webTools: NativeWebTools;
  readonly options: ProviderOptions;
}

/** What the providers of all vendors have in common; a subclass names the vendor and its options. */
export abstract class VendorProvider implements Provider {
  abstract readonly name: string;
  /** Vendor whose models it serves; `null` when they may be of any vendor. */
  abstract readonly modelFamily: NonNullable<Provider['modelFamily']> | null;
  readonly model: string;
  readonly isDefaultModel: boolean;
  onServerToolUse?: ServerToolUseCallback | undefined;
  readonly #webTools: NativeWebTools;
  readonly #chat: ProviderChat;

  constructor({ chat, webTools, options }: VendorProviderParts) {
    this.#webTools = webTools;
    this.#chat = chat;
    this.model = chat.model;
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
