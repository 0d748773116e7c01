import type { NativeWebToolsRequest, ProviderCapabilities } from '@robota-sdk/agent-core';

/** State of the vendor's own web tools. */
export class NativeWebTools {
  readonly #source: string;
  readonly #hasWebSearch: boolean;
  #isSearchOn = false;
  /** Set explicitly by the provider's caller; sessions do not override it. */
  #choice: boolean | undefined;

  constructor(source: string, hasWebSearch: boolean) {
    this.#source = source;
    this.#hasWebSearch = hasWebSearch;
  }

  /** Enables the tools unless they were turned off explicitly. */
  configure(request: NativeWebToolsRequest): ProviderCapabilities {
    if (request.webSearch === false) this.#choice = false;
    this.#isSearchOn = this.#hasWebSearch && (this.#choice ?? request.webSearch === true);
    return this.capabilities();
  }

  /** Sets the tools explicitly; takes precedence over later `configure` calls. */
  choose(isOn: boolean): void {
    this.#choice = isOn;
    this.#isSearchOn = this.#hasWebSearch && isOn;
  }

  /** A call's own request takes precedence over the configuration. */
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
