import type { ResumePoint } from '../protocol.ts';
import { PROTOCOL, TOKEN_PROTOCOL_PREFIX } from '../wire-names.ts';

/** A server's URL and token. */
export interface ServerAddress {
  /** Such as `http://127.0.0.1:7070`. */
  readonly url: string;
  readonly token?: string | undefined;
}

export function apiUrl({ url }: ServerAddress, path: string): string {
  return `${url.replace(/^ws/, 'http').replace(/\/+$/, '')}${path}`;
}

export function socketUrl(
  address: ServerAddress,
  sessionId: string,
  { after, epoch, agent, surface, tail }: ResumePoint,
): string {
  const query = new URLSearchParams();
  if (after !== undefined) query.set('after', after);
  if (epoch !== undefined) query.set('epoch', epoch);
  if (agent !== undefined) query.set('agent', agent);
  if (surface !== undefined) query.set('surface', surface);
  if (tail !== undefined) query.set('tail', String(tail));
  const path = `/api/sessions/${encodeURIComponent(sessionId)}/ws`;
  const search = query.size > 0 ? `?${query}` : '';
  return `${apiUrl(address, path).replace(/^http/, 'ws')}${search}`;
}

/** Browsers cannot send headers with a WebSocket, so the token is sent as a sub-protocol. */
export function socketProtocols({ token }: ServerAddress): string[] {
  return token === undefined ? [PROTOCOL] : [PROTOCOL, `${TOKEN_PROTOCOL_PREFIX}${token}`];
}

export function authorization({ token }: ServerAddress): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` };
}
