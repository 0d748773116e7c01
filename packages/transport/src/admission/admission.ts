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

/** How requests are authenticated, and from which hosts and origins they are accepted. */
export interface AdmissionOptions {
  /** The bearer token; the machine's own token file by default. `false` admits everyone who can reach the port. */
  readonly token?: string | false | undefined;
  readonly tokenFile?: string | undefined;
  /** Folder of the tokens issued to users, each with a name and roles; below Robota's home by default. */
  readonly tokenFolder?: string | undefined;
  /** One-time links to the web page, shared by the transports of one server. */
  readonly links?: PageLinks | undefined;
  /** Origins whose pages may call the server, such as `https://app.example`; none by default. */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Additional host names of this server, besides `localhost` and IP addresses. */
  readonly allowedHosts?: readonly string[] | undefined;
  readonly now?: (() => number) | undefined;
}

/** The parts of a request that admission checks. */
export interface Caller {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  readonly authorization: string | undefined;
  /** Offered WebSocket sub-protocols; browsers send their token there. */
  readonly protocols?: string | undefined;
  readonly address: string;
}

/** Checks the host, the origin and the token of every request. */
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

  /** The required token; undefined when none is required. */
  get token(): ServerToken | undefined {
    return this.#token;
  }

  /** Throws a `WireError` with the reason for a refusal. Host and origin are checked before the token. */
  admit(caller: Caller): Identity {
    this.checkPlace(caller);
    if (!this.#token) return EVERYBODY;
    const sent = sentToken(caller);
    if (isSame(sent, this.#token.token)) return OWNER;
    const known = this.#people.identify(sent) ?? this.#options.links?.identify(sent);
    if (known && this.isStillAdmitted(known)) return known;
    this.#countFailure(caller);
    throw new WireError('unauthorized', `Send the server's token as "Authorization: Bearer …".`);
  }

  /** Tokens issued to users. */
  get people(): TokenBook {
    return this.#people;
  }

  /** Creates a one-time code that opens the page with the rights of `identity`. */
  createLink(identity: Identity): PageLink {
    if (this.#options.links) return this.#options.links.create(identity);
    throw new WireError('not_supported', 'This server has no page to link to.');
  }

  /** Exchanges a one-time code for a page token. */
  redeemLink(code: string, caller: Caller): string {
    this.checkPlace(caller);
    const token = this.#options.links?.redeem(code);
    if (token !== undefined) return token;
    this.#countFailure(caller);
    throw new WireError('unknown_link', 'This link was used or has expired; create another.');
  }

  #countFailure({ address }: Caller): void {
    const wait = this.#attempts.add(address);
    if (wait > 0) {
      throw new WireError('too_many_attempts', `Too many wrong tokens; try again in ${wait} s.`);
    }
  }

  /** False once the token was revoked; connections opened with it are then closed. */
  isStillAdmitted({ tokenId }: Identity): boolean {
    return tokenId === undefined || this.#people.has(tokenId);
  }

  /** Calls `onRevoked` when the token of `identity` is revoked, unless the returned function is called first. */
  watch(identity: Identity, onRevoked: () => void): () => void {
    return this.#revocations.watch(identity, onRevoked);
  }

  /** Checks only Host and Origin, for preflight requests, which carry no token. */
  checkPlace({ host, origin }: Caller): void {
    if (!this.#isOurHost(host)) {
      const name = host === undefined ? 'a request without a host' : `the host name ${host}`;
      const advice = 'Use its IP address, or add the name to its allowed hosts.';
      throw new WireError('host_not_allowed', `This server does not accept ${name}. ${advice}`);
    }
    if (origin !== undefined && !isSameOrigin(origin, host) && !this.allowsOrigin(origin)) {
      const advice = 'Add the origin to its allowed origins.';
      const message = `Pages of ${origin} may not call this server. ${advice}`;
      throw new WireError('origin_not_allowed', message);
    }
  }

  /** Whether pages of this origin are allowed and get CORS headers. */
  allowsOrigin(origin: string): boolean {
    return this.#options.allowedOrigins?.includes(origin) ?? false;
  }

  /** DNS rebinding needs a name, so IP addresses are safe to accept. */
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
  if (token === '') throw new Error('The server token is empty; omit it to have one created.');
  return { token, isNew: false, path: '' };
}

/** The machine's own token has every role. */
const OWNER: Identity = { user: 'owner', roles: new Set(ROLES) };

function sentToken({ authorization, protocols }: Caller): string {
  const bearer = /^bearer +(\S+)$/i.exec(authorization?.trim() ?? '')?.[1];
  const offered = (protocols ?? '')
    .split(',')
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(TOKEN_PROTOCOL_PREFIX))
    ?.slice(TOKEN_PROTOCOL_PREFIX.length);
  return bearer ?? offered ?? '';
}

/** Compares in constant time, whatever the lengths. */
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
