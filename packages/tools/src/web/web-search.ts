/** Port: finds pages on the web; rejects with a message for the model when the search fails. */
export interface WebSearch {
  search(query: WebSearchQuery): Promise<readonly WebSearchResult[]>;
}

/** What to search the web for. */
export interface WebSearchQuery {
  readonly query: string;
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** One page found. */
export interface WebSearchResult {
  readonly title: string;
  readonly url: string;
  readonly snippet: string;
}
