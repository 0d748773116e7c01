import { z } from 'zod';
import { onFirstUse } from '../../function-tool/zod-schema.ts';
import type { WebSearch, WebSearchQuery, WebSearchResult } from '../web-search.ts';

const MAX_RESULTS = 20;
const BASE_URL = 'https://api.search.brave.com';

/** API key and base URL of the service. */
export interface BraveWebSearchOptions {
  readonly apiKey: string;
  readonly baseUrl?: string | undefined;
}

const answerSchema = onFirstUse(() =>
  z.object({
    web: z
      .object({
        results: z
          .array(
            z.object({
              title: z.string().catch(''),
              url: z.string(),
              description: z.string().catch(''),
            }),
          )
          .catch([]),
      })
      .optional(),
  }),
);

/** Brave's web search API. */
export class BraveWebSearch implements WebSearch {
  readonly #options: BraveWebSearchOptions;

  constructor(options: BraveWebSearchOptions) {
    this.#options = options;
  }

  async search({ query, limit, signal }: WebSearchQuery): Promise<readonly WebSearchResult[]> {
    const url = new URL('/res/v1/web/search', this.#options.baseUrl ?? BASE_URL);
    url.searchParams.set('q', query);
    url.searchParams.set('count', String(Math.min(limit, MAX_RESULTS)));
    const response = await fetch(url, {
      headers: { accept: 'application/json', 'x-subscription-token': this.#options.apiKey },
      signal,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw new Error(
        `Web search failed: HTTP ${response.status} ${response.statusText}`.trimEnd(),
      );
    }
    const answer = answerSchema().safeParse(await response.json());
    if (!answer.success) throw new Error('Web search failed: the answer has an unknown form');
    return (answer.data.web?.results ?? []).slice(0, limit).map((result) => ({
      title: plain(result.title),
      url: result.url,
      snippet: plain(result.description),
    }));
  }
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
  '&#39;': "'",
};

/** Matched words are marked up as `<strong>`. */
function plain(text: string): string {
  return text
    .replace(/<\/?strong>/g, '')
    .replace(/&[#\w]+;/g, (entity) => ENTITIES[entity] ?? entity);
}
