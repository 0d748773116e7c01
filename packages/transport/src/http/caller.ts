import type { Caller } from '../admission/admission.ts';
import type { HttpContext } from './route.ts';

/** What of a request decides whether it may come in. */
export function callerOf(context: HttpContext): Caller {
  return {
    host: context.req.header('host'),
    origin: context.req.header('origin'),
    authorization: context.req.header('authorization'),
    address: context.env?.incoming?.socket.remoteAddress ?? 'unknown',
  };
}
