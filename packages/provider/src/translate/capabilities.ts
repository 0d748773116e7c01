import type { NativeWebToolsRequest, ProviderCapabilities } from '@robota-sdk/agent-core';

/** Which of the vendor's own web tools are on; only what the vendor has can be switched on. */
export class NativeWebTools {
  readonly #source: string;
  readonly #hasWebSearch: boolean;
  #isSearchOn = false;
  /** What the caller of the provider chose; a session that only wishes for the tools does not change it. */
  #choice: boolean | undefined;

  constructor(source: string, hasWebSearch: boolean) {
    this.#source = source;
    this.#hasWebSearch = hasWebSearch;
  }

  /** A wish: it is granted unless the tools were switched off before. */
  configure(request: NativeWebToolsRequest): ProviderCapabilities {
    if (request.webSearch === false) this.#choice = false;
    this.#isSearchOn = this.#hasWebSearch && (this.#choice ?? request.webSearch === true);
    return this.capabilities();
  }

  /** A choice: it holds whatever is wished for afterwards. */
  choose(isOn: boolean): void {
    this.#choice = isOn;
    this.#isSearchOn = this.#hasWebSearch && isOn;
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
