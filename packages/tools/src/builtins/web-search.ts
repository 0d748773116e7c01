import type { Tool } from '@robota-sdk/agent-core';
import { untilAborted } from '../files/file-source.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { BraveWebSearch } from '../web/adapters/brave.ts';
import type { WebSearch } from '../web/web-search.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';

const DEFAULT_LIMIT = 10;
const TIMEOUT_MS = 15_000;
const NO_KEY =
  'Web search requires BRAVE_API_KEY environment variable. Get a free API key at https://brave.com/search/api/ (2,000 queries/month free).';

/** Options of the web search tool. */
export interface WebSearchToolOptions {
  /** The search service; Brave with `BRAVE_API_KEY` by default. */
  readonly search?: WebSearch | undefined;
  readonly timeoutMs?: number | undefined;
}

const parameters = {
  type: 'object',
  properties: {
    query: { type: 'string', minLength: 1, description: 'What to search for.' },
    limit: {
      description: 'Most results (default 10, at most 20).',
      type: 'integer',
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  },
  required: ['query'],
} as const;

/** Searches the web. */
export function createWebSearchTool(options: WebSearchToolOptions = {}): Tool {
  return builtinTool({
    name: 'WebSearch',
    description: 'Searches the web and returns titles, addresses and snippets as JSON.',
    parameters,
    run: (given, scope) => webSearch(options, given, scope),
    touches: async ({ query }) => [{ kind: 'network', target: query }],
  });
}

/** Searches the web through the service whose key is in the environment. */
export const webSearchTool: Tool = createWebSearchTool();

async function webSearch(
  options: WebSearchToolOptions,
  { query, limit = DEFAULT_LIMIT }: ParametersOf<typeof parameters>,
  scope: CallScope,
): Promise<ToolAnswer> {
  const search = options.search ?? braveFromEnvironment();
  if (search === null) return refused(NO_KEY);
  const { timeoutMs = TIMEOUT_MS } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const signal = AbortSignal.any([scope.signal, timeout]);
    const results = await untilAborted(search.search({ query, limit, signal }), signal);
    return answered(JSON.stringify(results));
  } catch (error) {
    if (scope.signal.aborted) throw error;
    if (timeout.aborted) return refused(`Web search timed out after ${timeoutMs}ms`);
    return refused(error instanceof Error ? error.message : String(error));
  }
}

/** The key is read at each call, so that it can be set while a session runs. */
function braveFromEnvironment(): WebSearch | null {
  const apiKey = process.env.BRAVE_API_KEY;
  return apiKey ? new BraveWebSearch({ apiKey }) : null;
}
