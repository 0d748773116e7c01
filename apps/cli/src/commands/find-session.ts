import type { CatalogueSession, Resolution } from '@robota-sdk/agent-archive';
import { SessionNotFoundError } from '@robota-sdk/agent-sdk';
import type { Output } from '../output.ts';
import { type Freshness, withCatalogue } from './catalogue.ts';
import { timeAgo } from './sessions/time-ago.ts';

/** More than a catalogue tells. */
const MOST_CANDIDATES = 20;

/** Several sessions could be meant; `details` are the lines that tell them apart. */
class AmbiguousReferenceError extends Error {
  override readonly name = 'AmbiguousReferenceError';
  readonly code = 'session_ambiguous';
  readonly details: readonly string[];

  constructor(reference: string, candidates: readonly CatalogueSession[]) {
    const count = candidates.length < MOST_CANDIDATES ? '' : ' or more';
    super(
      `"${reference}" could be any of ${candidates.length}${count} sessions; name one of them:`,
    );
    this.details = candidates.map(
      ({ agent, id, title, updatedAt }) => `  ${agent}:${id}  ${title}  (${timeAgo(updatedAt)})`,
    );
  }
}

/** The beginning of an id that is shorter is more likely a slip. */
const SHORTEST_BEGINNING = 4;

/** Nothing was found, and there is more to say than that. */
class NoSuchSessionError extends Error {
  override readonly name = 'NoSuchSessionError';
  readonly code = 'session_not_found';
}

function notFound(reference: string): Error {
  // `last` is that of this project, so that nobody goes on with somebody else's work by accident.
  if (reference === 'last') {
    return new NoSuchSessionError(
      'No session in this directory yet; "robota sessions --all" lists those of others.',
    );
  }
  if (reference.length >= SHORTEST_BEGINNING) return new SessionNotFoundError(reference);
  return new NoSuchSessionError(
    `Session not found: ${reference} (of an id at least its first ${SHORTEST_BEGINNING} characters)`,
  );
}

/** The session of any agent meant by an id, the beginning of one, a name or `last`; names of this project go first. */
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
  // It may be one of those that there was no time to read.
  return quick.kind === 'none' ? ask('whole') : quick;
}

/** Whether the session is kept by us; all others are their programs'. */
export function isOwn({ type }: Pick<CatalogueSession, 'type'>): boolean {
  return type === 'robota';
}
