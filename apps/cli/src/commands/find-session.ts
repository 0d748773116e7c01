import type { CatalogueSession, Resolution } from '@robota-sdk/agent-archive';
import { SessionNotFoundError } from '@robota-sdk/agent-sdk';
import type { Output } from '../output.ts';
import { type Freshness, withCatalogue } from './catalogue.ts';
import { timeAgo } from './sessions/time-ago.ts';

/** Limit of candidates that the catalogue returns. */
const MAX_CANDIDATES = 20;

/** The reference matches several sessions; `details` lists them. */
class AmbiguousReferenceError extends Error {
  override readonly name = 'AmbiguousReferenceError';
  readonly code = 'session_ambiguous';
  readonly details: readonly string[];

  constructor(reference: string, candidates: readonly CatalogueSession[]) {
    const count = candidates.length < MAX_CANDIDATES ? '' : ' or more';
    super(
      `"${reference}" could be any of ${candidates.length}${count} sessions; name one of them:`,
    );
    this.details = candidates.map(
      ({ agent, id, title, updatedAt }) => `  ${agent}:${id}  ${title}  (${timeAgo(updatedAt)})`,
    );
  }
}

/** A shorter id prefix is more likely a typo. */
const MIN_PREFIX_LENGTH = 4;

/** Nothing matched; the message says what to try instead. */
class NoSuchSessionError extends Error {
  override readonly name = 'NoSuchSessionError';
  readonly code = 'session_not_found';
}

function notFound(reference: string): Error {
  // `last` is limited to this project, so that nobody continues other work by accident.
  if (reference === 'last') {
    return new NoSuchSessionError(
      'No session in this directory yet; "robota sessions --all" lists those of others.',
    );
  }
  if (reference.length >= MIN_PREFIX_LENGTH) return new SessionNotFoundError(reference);
  return new NoSuchSessionError(
    `Session not found: ${reference} (of an id at least its first ${MIN_PREFIX_LENGTH} characters)`,
  );
}

/** Finds a session of any agent by id, id prefix, name or `last`; names in this project take precedence. */
export async function findSession(reference: string, output: Output): Promise<CatalogueSession> {
  const resolution = await resolveReference(reference, output);
  if (resolution.kind === 'found') return resolution.session;
  if (resolution.kind === 'none') throw notFound(reference);
  throw new AmbiguousReferenceError(reference, resolution.candidates);
}

async function resolveReference(reference: string, output: Output): Promise<Resolution> {
  const ask = (freshness: Freshness) =>
    withCatalogue({ output, freshness }, (catalogue) =>
      catalogue.resolve(reference, { here: process.cwd() }),
    );
  const quick = await ask('quick');
  // It may be among the sessions that the quick refresh had no time to read.
  return quick.kind === 'none' ? ask('whole') : quick;
}

/** Whether the session belongs to our own engine rather than to another program. */
export function isOwn({ type }: Pick<CatalogueSession, 'type'>): boolean {
  return type === 'robota';
}
