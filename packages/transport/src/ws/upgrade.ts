import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { describeIssue } from '../live/describe-issue.ts';
import type { SessionGateway, Visit } from '../live/session-gateway.ts';
import { WireError } from '../live/wire-error.ts';
import { type ResumePoint, resumeSchema } from '../protocol.ts';

/** The session a client connects to, and where it resumes. */
export interface Destination {
  readonly visit: Visit;
  readonly resume: ResumePoint;
}

/** `/api/sessions/<id>/ws`, or `/` and `/ws` for the attached session; the resume point is in the query. */
export async function findDestination(
  gateway: SessionGateway,
  request: IncomingMessage,
): Promise<Destination> {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const given = {
    after: url.searchParams.get('after') ?? undefined,
    epoch: url.searchParams.get('epoch') ?? undefined,
    agent: url.searchParams.get('agent') ?? undefined,
    surface: url.searchParams.get('surface') ?? undefined,
    tail: url.searchParams.get('tail') ?? undefined,
  };
  const resume = resumeSchema.safeParse(given);
  if (!resume.success) {
    throw new WireError('invalid_request', describeIssue(resume.error, given));
  }
  return { visit: await findVisit(gateway, url.pathname, resume.data), resume: resume.data };
}

async function findVisit(
  gateway: SessionGateway,
  path: string,
  resume: ResumePoint,
): Promise<Visit> {
  if (path === '/' || path === '/ws') return gateway.visitLive(gateway.only(), resume.surface);
  const id = /^\/api\/sessions\/([^/]+)\/ws$/.exec(path)?.[1];
  if (id === undefined) {
    throw new WireError('unknown_route', 'WebSockets are at /api/sessions/<id>/ws.');
  }
  return gateway.visit(decode(id), resume);
}

/** Refuses an upgrade with an HTTP response and closes the socket. */
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
    // Not a valid id; the following check refuses it.
    return segment;
  }
}
