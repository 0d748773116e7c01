import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { type Identity, ROLES } from './roles.ts';

/** A one-time code that opens the page. */
export interface PageLink {
  readonly code: string;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
}

const LINK_MS = 2 * 60_000;
const MAX_LINKS = 1_000;
/** Lifetime of a page token; it survives server restarts. */
const PAGE_MS = 7 * 24 * 60 * 60_000;

const payloadSchema = z.object({
  user: z.string().optional(),
  roles: z.array(z.enum(ROLES)),
  tokenId: z.string().optional(),
  until: z.number(),
});

/**
 * One-time codes that a page exchanges for its own token, so an address left in a process list or a browser history
 * is useless. Page tokens are signed and survive a restart of the server; deleting the server's token revokes them all.
 */
export class PageLinks {
  readonly #key: Buffer;
  readonly #now: () => number;
  readonly #links = new Map<string, { readonly identity: Identity; readonly expiresAt: number }>();

  /** `secret` is the server's own token. */
  constructor(secret: string, now: () => number = Date.now) {
    this.#key = createHmac('sha256', secret).update('tokens of pages').digest();
    this.#now = now;
  }

  /** Creates a code for a page with the rights of `identity`. */
  create(identity: Identity): PageLink {
    for (const [code, { expiresAt }] of this.#links) {
      if (expiresAt <= this.#now() || this.#links.size >= MAX_LINKS) this.#links.delete(code);
    }
    const code = randomBytes(24).toString('base64url');
    const expiresAt = this.#now() + LINK_MS;
    this.#links.set(code, { identity, expiresAt });
    return { code, expiresAt };
  }

  /** The page's token; undefined for an unknown, used or expired code. */
  redeem(code: string): string | undefined {
    const link = this.#links.get(code);
    this.#links.delete(code);
    if (!link || link.expiresAt <= this.#now()) return undefined;
    const { user, roles, tokenId } = link.identity;
    const until = this.#now() + PAGE_MS;
    const text = JSON.stringify({ user, roles: [...roles], tokenId, until });
    const payload = Buffer.from(text).toString('base64url');
    return `page.${payload}.${this.#sign(payload).toString('base64url')}`;
  }

  /** The owner of a page token; undefined for a foreign or expired one. */
  identify(token: string): Identity | undefined {
    const [kind, payload = '', signature = ''] = token.split('.');
    if (kind !== 'page') return undefined;
    const given = Buffer.from(signature, 'base64url');
    const wanted = this.#sign(payload);
    if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined;
    const text = Buffer.from(payload, 'base64url').toString();
    const { user, roles, tokenId, until } = payloadSchema.parse(JSON.parse(text));
    return until > this.#now() ? { user, roles: new Set(roles), tokenId } : undefined;
  }

  #sign(payload: string): Buffer {
    return createHmac('sha256', this.#key).update(payload).digest();
  }
}
