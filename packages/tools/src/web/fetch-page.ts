import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { untilAborted } from '../files/file-source.ts';
import { isPublicAddress } from './address-guard.ts';
import { readBody } from './read-body.ts';

const MAX_REDIRECTS = 5;

export interface FetchPageOptions {
  readonly headers: Readonly<Record<string, string>>;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Whether a host with a non-public address may be fetched. */
  readonly mayBePrivate: (host: string) => boolean;
}

export interface FetchedPage {
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** The server or its address cannot be used; the message is for the model. */
export class FetchRefusedError extends Error {
  override readonly name = 'FetchRefusedError';
}

/** A redirect to another server, which has not been approved. */
export interface RedirectElsewhere {
  readonly from: string;
  readonly to: string;
}

/** Fetches a page from one server; each hop's address is resolved once, checked, and used for the connection. */
export async function fetchPage(
  start: string,
  options: FetchPageOptions,
): Promise<FetchedPage | RedirectElsewhere> {
  let url = parseUrl(start);
  let headers = options.headers;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const addresses = await resolveChecked(url, options);
    const response = await send(url, { addresses, headers, signal: options.signal });
    const target = redirectTarget(response, url);
    if (target === null) return readPage(url, response, options);
    response.destroy();
    if (!isSameServer(url, target)) return { from: url.href, to: target.href };
    // Custom headers are not sent to another protocol.
    if (target.origin !== url.origin) headers = {};
    url = target;
  }
  throw new FetchRefusedError(`Too many redirects: more than ${MAX_REDIRECTS} from ${start}`);
}

/** The same host and port; from http to https, both at their usual ports. */
export function isSameServer(from: URL, to: URL): boolean {
  if (from.origin === to.origin) return true;
  if (from.hostname !== to.hostname || from.port !== '' || to.port !== '') return false;
  return from.protocol === 'http:' && to.protocol === 'https:';
}

function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null) throw new FetchRefusedError(`Invalid URL: ${text}`);
  if (url.protocol === 'http:' || url.protocol === 'https:') return url;
  throw new FetchRefusedError(`Invalid URL: ${text} (only http and https can be fetched)`);
}

async function resolveChecked(url: URL, options: FetchPageOptions): Promise<LookupAddress[]> {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const family = isIP(host);
  const addresses =
    family === 0 ? await resolveName(host, options.signal) : [{ address: host, family }];
  if (options.mayBePrivate(url.hostname)) return addresses;
  const hidden = addresses.find(({ address }) => !isPublicAddress(address));
  if (hidden === undefined) return addresses;
  throw new FetchRefusedError(
    `Access denied: "${url.hostname}" is not a public address (${hidden.address}); private, local and link-local addresses are not fetched`,
  );
}

async function resolveName(host: string, signal: AbortSignal): Promise<LookupAddress[]> {
  try {
    return await untilAborted(lookup(host, { all: true }), signal);
  } catch (error) {
    signal.throwIfAborted();
    throw new FetchRefusedError(`Host not found: ${host}`, { cause: error });
  }
}

interface Hop {
  readonly addresses: readonly LookupAddress[];
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

function send(url: URL, { addresses, headers, signal }: Hop): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const sent = request(url, {
      agent: false,
      headers: { ...DEFAULT_HEADERS, ...headers },
      lookup: pinned(addresses),
      signal,
    });
    sent.once('response', resolve);
    sent.once('error', (error) => {
      if (signal.aborted) reject(signal.reason);
      else
        reject(
          new FetchRefusedError(`Cannot fetch ${url.href}: ${error.message}`, { cause: error }),
        );
    });
    sent.end();
  });
}

const DEFAULT_HEADERS = {
  'user-agent': 'Robota-CLI/3.0',
  accept: 'text/html,text/markdown;q=0.9,text/plain;q=0.8,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
};

/** Returns the addresses that were checked, so that a second DNS lookup cannot return others. */
function pinned(addresses: readonly LookupAddress[]): LookupFunction {
  return (_hostname, options, callback) => {
    const [first] = addresses;
    if (options.all) callback(null, [...addresses]);
    else callback(null, first?.address ?? '', first?.family);
  };
}

function redirectTarget({ statusCode = 0, headers }: IncomingMessage, from: URL): URL | null {
  const isRedirect = [301, 302, 303, 307, 308].includes(statusCode);
  if (!isRedirect || headers.location === undefined) return null;
  const target = URL.canParse(headers.location, from.href)
    ? new URL(headers.location, from).href
    : headers.location;
  return parseUrl(target);
}

async function readPage(
  url: URL,
  response: IncomingMessage,
  options: FetchPageOptions,
): Promise<FetchedPage> {
  const status = response.statusCode ?? 0;
  const statusText = response.statusMessage ?? '';
  const contentType = response.headers['content-type'] ?? '';
  const page = { url: url.href, status, statusText, contentType };
  if (status < 200 || status > 299) {
    response.destroy();
    return { ...page, body: Buffer.alloc(0) };
  }
  if (!isReadable(contentType)) {
    response.destroy();
    throw new FetchRefusedError(unreadable(url, response));
  }
  const body = await readBody(response, options);
  if (body !== null) return { ...page, body };
  throw new FetchRefusedError(
    `Response too large: ${url.href} has more than ${options.maxBytes} bytes`,
  );
}

/** Text, JSON and XML under all their media types; without a type the content is inspected. */
const READABLE =
  /^(?:text\/.*|application\/(?:.*\+)?(?:json|xml)|application\/(?:json5|jsonl|x-ndjson|ld\+json|javascript|x-javascript|ecmascript|typescript|yaml|x-yaml|toml|x-sh|sql|graphql)|image\/svg\+xml)$/;

function isReadable(contentType: string): boolean {
  const type = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
  return type === '' || READABLE.test(type);
}

function unreadable(url: URL, { headers }: IncomingMessage): string {
  const type = headers['content-type']?.split(';')[0]?.trim() ?? '';
  const size = headers['content-length'];
  const bytes = size === undefined ? 'of unknown size' : `${size} bytes`;
  return `Cannot read ${url.href}: it is ${type}, ${bytes}; only text, JSON and XML can be read`;
}
