import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { channelOf, type SessionChannel } from '../live/session-channel.ts';
import type { SessionDoor } from '../live/session-door.ts';
import { WireError } from '../live/wire-error.ts';
import { type ResumePoint, resumeSchema } from '../protocol.ts';

/** Where a client wants to go, and where it left off. */
export interface Destination {
  readonly channel: SessionChannel;
  readonly resume: ResumePoint;
}

/** `/api/sessions/<id>/ws`, or `/` and `/ws` for the attached session; `after` and `epoch` in the query. */
export async function findDestination(
  door: SessionDoor,
  request: IncomingMessage,
): Promise<Destination> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const resume = resumeSchema.safeParse({
    after: url.searchParams.get('after') ?? undefined,
    epoch: url.searchParams.get('epoch') ?? undefined,
  });
  if (!resume.success) {
    throw new WireError('invalid_request', 'after must be the number of an event.');
  }
  const session = await findSession(door, url.pathname);
  return { channel: channelOf(session), resume: resume.data };
}

async function findSession(door: SessionDoor, path: string): Promise<InteractiveSession> {
  if (path === '/' || path === '/ws') return door.only();
  const id = /^\/api\/sessions\/([^/]+)\/ws$/.exec(path)?.[1];
  if (id === undefined) {
    throw new WireError('unknown_route', 'WebSockets are at /api/sessions/<id>/ws.');
  }
  return door.open(decode(id));
}

/** Answers an upgrade that is refused as an HTTP response, and hangs up. */
export function refuseUpgrade(socket: Duplex, error: WireError): void {
  const body = JSON.stringify(error.toJSON());
  socket.end(
    [
      `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status] ?? ''}`,
      'content-type: application/json',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      '',
      body,
    ].join('\r\n'),
  );
}

function decode(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    // Not an id in any case; the check that follows says so.
    return segment;
  }
}
