import type { Caller } from '../admission/admission.ts';
import type { HttpContext } from './route.ts';

/** The parts of a request that admission checks. */
export function callerOf(context: HttpContext): Caller {
  return {
    host: context.req.header('host'),
    origin: context.req.header('origin'),
    authorization: context.req.header('authorization'),
    address: context.env?.incoming?.socket.remoteAddress ?? 'unknown',
  };
}
