import type {
  AssistantMessage,
  ChatOptions,
  Message,
  NativeWebToolsRequest,
  Provider,
  ProviderCapabilities,
  ServerToolUseCallback,
} from '@robota-sdk/agent-core';
import { NativeWebTools } from './capabilities.ts';
import type { ProviderOptions } from './provider-options.ts';
import type { Vendor } from './vendor.ts';
import { VendorChat } from './vendor-chat.ts';

/** The vendor as users name it, and whether its API searches the web. */
interface VendorFacts {
  readonly title: string;
  readonly hasWebSearch: boolean;
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
  readonly #chat: VendorChat;

  constructor(vendor: Vendor, options: ProviderOptions, { title, hasWebSearch }: VendorFacts) {
    this.#webTools = new NativeWebTools(title, hasWebSearch);
    this.#chat = new VendorChat(vendor, options, this.#webTools);
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
