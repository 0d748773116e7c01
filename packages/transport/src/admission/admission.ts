import { createHash, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { WireError } from '../live/wire-error.ts';
import { TOKEN_PROTOCOL_PREFIX } from '../protocol.ts';
import { FailedAttempts } from './failed-attempts.ts';
import type { PageLink, PageLinks } from './page-links.ts';
import { Revocations } from './revocations.ts';
import { EVERYBODY, type Identity, ROLES } from './roles.ts';
import { loadServerToken, type ServerToken } from './server-token.ts';
import { TokenBook } from './token-book.ts';

/** Who may come in. */
export interface AdmissionOptions {
  /** The bearer token; the machine's own, kept in a file, when left out. `false` lets everybody in who may reach the port. */
  readonly token?: string | false | undefined;
  readonly tokenFile?: string | undefined;
  /** Where the tokens of people are kept, each with a name and roles; below our home unless given. */
  readonly tokenFolder?: string | undefined;
  /** One-time links to the page; transports of one server share them. */
  readonly links?: PageLinks | undefined;
  /** Web pages of these origins may call, such as `https://app.example`; none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Host names, beside this machine's, under which the server is reached. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly now?: (() => number) | undefined;
}

/** What of a request decides whether it may come in. */
export interface Caller {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** Offered WebSocket sub-protocols; a browser puts its token there. */
  readonly protocols?: string | undefined;
  readonly address: string;
}

/** Decides who comes in: this machine's names, no foreign web pages, and the right token. */
export class Admission {
  readonly #options: AdmissionOptions;
  readonly #attempts: FailedAttempts;
  readonly #token: ServerToken | undefined;
  readonly #people: TokenBook;
  readonly #revocations = new Revocations((identity) => this.isStillAdmitted(identity));

  constructor(options: AdmissionOptions) {
    this.#options = options;
    this.#attempts = new FailedAttempts(options.now);
    this.#token = tokenOf(options);
    this.#people = new TokenBook(options.tokenFolder);
  }

  /** The token that is asked for; undefined when none is. */
  get token(): ServerToken | undefined {
    return this.#token;
  }

  /** Throws a `WireError` that says why not. A page is turned away before its token is looked at. */
  admit(caller: Caller): Identity {
    this.checkPlace(caller);
    if (!this.#token) return EVERYBODY;
    const shown = shownToken(caller);
    if (isSame(shown, this.#token.token)) return OWNER;
    const known = this.#people.identify(shown) ?? this.#options.links?.identify(shown);
    if (known && this.isStillAdmitted(known)) return known;
    this.#countFailure(caller);
    throw new WireError('unauthorized', `Send the server's token as "Authorization: Bearer …".`);
  }

  /** Tokens of people. */
  get people(): TokenBook {
    return this.#people;
  }

  /** A code that opens the page once, for somebody who may do as much as `identity`. */
  createLink(identity: Identity): PageLink {
    if (this.#options.links) return this.#options.links.create(identity);
    throw new WireError('not_supported', 'This server has no page to link to.');
  }

  /** Changes a one-time code for the token of a page. */
  redeemLink(code: string, caller: Caller): string {
    this.checkPlace(caller);
    const token = this.#options.links?.redeem(code);
    if (token !== undefined) return token;
    this.#countFailure(caller);
    throw new WireError('unknown_link', 'This link was used or is too old; make another.');
  }

  #countFailure({ address }: Caller): void {
    const wait = this.#attempts.add(address);
    if (wait > 0) {
      throw new WireError('too_many_attempts', `Too many wrong tokens; try again in ${wait} s.`);
    }
  }

  /** Whether somebody who was let in still would be: a revoked token ends what it opened. */
  isStillAdmitted({ tokenId }: Identity): boolean {
    return tokenId === undefined || this.#people.has(tokenId);
  }

  /** Calls `onRevoked` when the token of somebody who stays was revoked, unless the returned function is called first. */
  watch(identity: Identity, onRevoked: () => void): () => void {
    return this.#revocations.watch(identity, onRevoked);
  }

  /** Host and Origin alone, for preflight requests, which carry no token. */
  checkPlace({ host, origin }: Caller): void {
    if (!this.#isOurHost(host)) {
      throw new WireError('host_not_allowed', `This server is not known as ${host ?? 'nothing'}.`);
    }
    if (origin !== undefined && !isSameOrigin(origin, host) && !this.allowsOrigin(origin)) {
      throw new WireError('origin_not_allowed', `Pages of ${origin} may not call this server.`);
    }
  }

  /** Whether pages of this origin were allowed in, and so get CORS headers. */
  allowsOrigin(origin: string): boolean {
    return this.#options.allowedOrigins?.includes(origin) ?? false;
  }

  /** A rebound DNS name is never an address, so addresses are safe. */
  #isOurHost(host: string | undefined): boolean {
    const name = hostName(host);
    if (name === undefined) return false;
    if (name === 'localhost' || isIP(name) !== 0) return true;
    return this.#options.allowedHosts?.includes(name) ?? false;
  }
}

function tokenOf({ token, tokenFile }: AdmissionOptions): ServerToken | undefined {
  if (token === false) return undefined;
  if (token === undefined) return loadServerToken(tokenFile);
  if (token === '') throw new Error('The server token is empty; leave it out to have one made.');
  return { token, isNew: false, path: '' };
}

/** The machine's own token is everything at once. */
const OWNER: Identity = { user: 'owner', roles: new Set(ROLES) };

function shownToken({ authorization, protocols }: Caller): string {
  const bearer = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  const offered = (protocols ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(TOKEN_PROTOCOL_PREFIX))
    ?.slice(TOKEN_PROTOCOL_PREFIX.length);
  return bearer ?? offered ?? '';
}

/** Takes the same time whatever is wrong, length included. */
function isSame(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function isSameOrigin(origin: string, host: string | undefined): boolean {
  const url = parseUrl(origin);
  return url !== undefined && host !== undefined && url.host === host.toLowerCase();
}

/** The name without port and brackets. */
function hostName(host: string | undefined): string | undefined {
  if (host === undefined || !/^[A-Za-z0-9.\-[\]:]+$/.test(host)) return undefined;
  return parseUrl(`http://${host}`)
    ?.hostname.replace(/^\[|\]$/g, '')
    .toLowerCase();
}

function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
