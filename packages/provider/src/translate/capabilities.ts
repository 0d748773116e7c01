import type { NativeWebToolsRequest, ProviderCapabilities } from '@robota-sdk/agent-core';

/** Which of the vendor's own web tools are on; only what the vendor has can be switched on. */
export class NativeWebTools {
  readonly #source: string;
  readonly #hasWebSearch: boolean;
  #isSearchOn = false;

  constructor(source: string, hasWebSearch: boolean) {
    this.#source = source;
    this.#hasWebSearch = hasWebSearch;
  }

  configure(request: NativeWebToolsRequest): ProviderCapabilities {
    this.#isSearchOn = this.#hasWebSearch && request.webSearch === true;
    return this.capabilities();
  }

  /** A call may ask for its own; otherwise what was configured holds. */
  isSearchOn(request: NativeWebToolsRequest | undefined): boolean {
    return this.#hasWebSearch && (request?.webSearch ?? this.#isSearchOn);
  }

  capabilities(): ProviderCapabilities {
    return {
      functionCalling: { supported: true },
      nativeWebTools: {
        webSearch: this.#hasWebSearch
          ? { supported: true, enabled: this.#isSearchOn, source: this.#source }
          : {
              supported: false,
              enabled: false,
              reason: `${this.#source} has no web search of its own.`,
            },
        webFetch: {
          supported: false,
          enabled: false,
          reason: 'Pages are fetched by the WebFetch tool.',
        },
      },
    };
  }
}
