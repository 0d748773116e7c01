import type { Tool } from '@robota-sdk/agent-core';
import { boundText } from '../bounded-text.ts';
import type { ParametersOf } from '../function-tool/parameters-of.ts';
import { answered, refused, type ToolAnswer } from '../tool-result.ts';
import { decodeText } from '../web/decode-text.ts';
import type { FetchedPage, RedirectElsewhere } from '../web/fetch-page.ts';
import { htmlToMarkdown } from '../web/html-to-markdown.ts';
import { builtinTool, type CallScope } from './builtin-tool.ts';

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 5_000_000;
const OUTPUT_CHARS = 100_000;

/** Options of the web fetch tool. */
export interface WebFetchToolOptions {
  /** Fetch private, local and link-local addresses too. */
  readonly allowPrivateAddresses?: boolean | undefined;
  /** Hosts (`localhost`, `10.1.2.3`) that may be fetched although their address is not public. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly timeoutMs?: number | undefined;
  readonly maxBytes?: number | undefined;
}

const parameters = {
  type: 'object',
  properties: {
    url: { type: 'string', minLength: 1, description: 'The http or https address to fetch.' },
    headers: {
      description: 'Additional request headers.',
      type: 'object',
      propertyNames: { type: 'string' },
      additionalProperties: { type: 'string' },
    },
  },
  required: ['url'],
} as const;

/** Fetches pages of the public web as text. */
export function createWebFetchTool(options: WebFetchToolOptions = {}): Tool {
  return builtinTool({
    name: 'WebFetch',
    description:
      'Fetches a page from the web. HTML comes back as Markdown. A redirect to another host is told, not followed.',
    parameters,
    ignored: ['prompt'],
    run: (given, scope) => webFetch(options, given, scope),
    touches: async ({ url }) => [{ kind: 'network', target: url }],
  });
}

/** Fetches pages of the public web as text. */
export const webFetchTool: Tool = createWebFetchTool();

async function webFetch(
  options: WebFetchToolOptions,
  { url, headers = {} }: ParametersOf<typeof parameters>,
  scope: CallScope,
): Promise<ToolAnswer> {
  const { timeoutMs = TIMEOUT_MS, maxBytes = MAX_BYTES } = options;
  const timeout = AbortSignal.timeout(timeoutMs);
  // Loads Node's http, https, dns and zlib, which a session without fetches does not need.
  const { FetchRefusedError, fetchPage } = await import('../web/fetch-page.ts');
  try {
    const page = await fetchPage(url, {
      headers: withoutHopHeaders(headers),
      maxBytes,
      signal: AbortSignal.any([scope.signal, timeout]),
      mayBePrivate: (host) => isAllowed(host, options),
    });
    return 'to' in page ? answered(describeRedirect(page)) : await describePage(page);
  } catch (error) {
    if (scope.signal.aborted) throw error;
    if (timeout.aborted) return refused(`Request timed out after ${timeoutMs}ms: ${url}`);
    if (error instanceof FetchRefusedError) return refused(error.message);
    const reason = error instanceof Error ? error.message : String(error);
    return refused(`Cannot fetch ${url}: ${reason}`);
  }
}

function isAllowed(host: string, options: WebFetchToolOptions): boolean {
  return options.allowPrivateAddresses === true || options.allowedHosts?.includes(host) === true;
}

/** Connection headers are set here: another Host would reach a server that was not approved. */
function withoutHopHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const own = ['host', 'connection', 'content-length', 'transfer-encoding', 'accept-encoding'];
  return Object.fromEntries(
    Object.entries(headers).filter(([name]) => !own.includes(name.toLowerCase())),
  );
}

function describeRedirect({ from, to }: RedirectElsewhere): string {
  const isHost = new URL(from).hostname !== new URL(to).hostname;
  const other = isHost ? 'host' : 'port or protocol';
  return `${from} redirects to another ${other}: ${to}\nNothing was fetched from there. To go on, call WebFetch with that URL.`;
}

async function describePage(page: FetchedPage): Promise<ToolAnswer> {
  if (page.status < 200 || page.status > 299) {
    return refused(`HTTP ${page.status} ${page.statusText}`.trimEnd());
  }
  const type = page.contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  if (page.body.subarray(0, 8_192).includes(0) && !/charset=utf-16/i.test(page.contentType)) {
    return refused(`Binary response not supported: ${page.url} (${type || 'no content type'})`);
  }
  const text = decodeText(page.body, page.contentType);
  const isHtml = type.includes('html') || (type === '' && /^\s*<(!doctype|html)/i.test(text));
  return answered(boundText(isHtml ? await htmlToMarkdown(text) : text, OUTPUT_CHARS));
}
