import { createHash } from 'node:crypto';
import type { RequestPricer } from '@robota-sdk/agent-core';
import type { ModelRequest } from '@robota-sdk/agent-transcript';
import type { LedgerRequest } from '../ledger.ts';
import type { CatalogueDatabase } from './database.ts';

/** A request with each token in one place only, and its price. */
export function toLedgerRequest(
  type: string,
  request: ModelRequest,
  pricer: RequestPricer,
): LedgerRequest {
  const { usage, promptTokens, model, isCopy = false } = request;
  const cacheRead = usage.cacheReadTokens ?? 0;
  const cacheWrite = usage.cacheWriteTokens ?? 0;
  const tokens = {
    input: Math.max(0, promptTokens - cacheRead - cacheWrite),
    // Some agents count reasoning apart from the output; the total holds it in any case.
    output: Math.max(usage.outputTokens, usage.totalTokens - promptTokens),
    cacheRead,
    cacheWrite,
    cacheWrite1h: Math.min(cacheWrite, usage.cacheWrite1hTokens ?? 0),
  };
  const at = Date.parse(request.at) || 0;
  const listed = model === undefined ? null : pricer.price(model, tokens, at);
  return {
    key: requestKey(type, request.id),
    at,
    model: model ?? null,
    cause: request.cause === 'turn' ? 'main' : request.cause,
    ...tokens,
    thinking: usage.thinkingTokens ?? 0,
    cost: listed ?? request.costUSD ?? null,
    isCopy,
  };
}

/** 63 bits, so that it is a positive integer of SQLite. */
function requestKey(type: string, id: string): string {
  const hash = createHash('sha1').update(`${type}:${id}`).digest();
  return String(hash.readBigUInt64BE() >> 1n);
}

/** Replaces the requests of a session and settles anew which session each request counts for. */
export function writeRequests(
  database: CatalogueDatabase,
  session: number,
  requests: readonly LedgerRequest[],
): void {
  const before = forgetRequests(database, session);
  const words = new Map<string, number>();
  const numberOf = (text: string) => {
    const known = words.get(text) ?? wordNumber(database, text);
    words.set(text, known);
    return known;
  };
  for (const request of requests) {
    database.run(
      'insert or replace into usage values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)',
      BigInt(request.key),
      session,
      request.at,
      request.model === null ? null : numberOf(request.model),
      numberOf(request.cause),
      request.input,
      request.output,
      request.cacheRead,
      request.cacheWrite,
      request.cacheWrite1h,
      request.thinking,
      request.cost,
      request.isCopy ? 1 : 0,
    );
  }
  // Nearly all requests are in one transcript only; those are not looked at one by one.
  const shared = database.rows(
    `select distinct cast(mine.key as text) as key from usage mine
     join usage theirs on theirs.key = mine.key and theirs.session <> mine.session
     where mine.session = ?`,
    session,
  );
  const present = new Set(requests.map(({ key }) => key));
  const lost = before.filter((key) => !present.has(key));
  settle(database, new Set([...lost, ...shared.map(({ key }) => String(key))]));
}

/** Takes the requests of a session away and gives their keys, which others may have too. */
export function forgetRequests(database: CatalogueDatabase, session: number): readonly string[] {
  const rows = database.rows(
    'select cast(key as text) as key from usage where session = ?',
    session,
  );
  if (rows.length === 0) return [];
  database.run('delete from usage where session = ?', session);
  return rows.map(({ key }) => String(key));
}

/**
 * A request counts for one session: rather not for one that says it is a copy, else for the fullest record of it, else
 * for the oldest session. The rule looks at nothing that depends on the order of reading.
 */
export function settle(database: CatalogueDatabase, keys: Iterable<string>): void {
  for (const key of keys) {
    const number = BigInt(key);
    const holders = database.rows('select session, counted from usage where key = ?', number);
    if (holders.length === 0 || (holders.length === 1 && holders[0]?.counted === 1)) continue;
    const winner = database.row(
      `select u.session from usage u join session s on s.id = u.session where u.key = ?
       order by u.copy, u.output desc, s.created, s.path, s.native_id limit 1`,
      number,
    );
    database.run(
      'update usage set counted = (session = ?) where key = ?',
      winner?.session ?? null,
      number,
    );
  }
}

/** Names of models and causes are kept once. */
function wordNumber(database: CatalogueDatabase, text: string): number {
  const known = database.row('select id from word where text = ?', text);
  return known ? Number(known.id) : database.run('insert into word(text) values (?)', text);
}
