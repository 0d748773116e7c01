import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Admission } from '../admission/admission.ts';
import type { Identity, Role } from '../admission/roles.ts';
import type { SessionDirectory } from '../live/session-directory.ts';
import type { SessionGateway } from '../live/session-gateway.ts';
import type { ServerParts } from './server-parts.ts';

/** What handlers of one server share. */
export interface RouteContext {
  readonly gateway: SessionGateway;
  readonly directory: SessionDirectory;
  readonly admission: Admission;
  readonly parts: ServerParts;
  /** Changes when the server starts anew. */
  readonly epoch: string;
  readonly heartbeatMs: number;
  readonly maxLagBytes: number | undefined;
  /** Aborted when the server stops. */
  readonly stopping: AbortSignal;
}

export type HttpContext = Context<{
  Bindings: HttpBindings;
  Variables: { identity: Identity };
}>;

/** One checked request. */
export interface Call<Body, Query = unknown> {
  readonly context: HttpContext;
  readonly shared: RouteContext;
  /** A segment of the path, decoded. */
  readonly param: (name: string) => string;
  readonly body: Body;
  readonly query: Query;
  /** Who calls. */
  readonly identity: Identity;
}

/** One route: how it is reached, what it takes and gives, and what it does. The OpenAPI document is made of these. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** What the caller must be allowed to do; `nobody` may be anybody who reaches the server. */
  readonly role: Role | 'nobody';
  /** The JSON body; an empty one counts as `{}`. */
  readonly body?: z.ZodType | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  readonly handle: (call: Call<never, never>) => Promise<Response> | Response;
}

export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Also as a stream of events. */
  readonly events?: boolean;
}

/** Keeps the types of body and query between schemas and handler. Fields of a body that nobody knows are refused. */
export function route<Body = unknown, Query = unknown>(
  definition: Omit<Route, 'body' | 'query' | 'handle'> & {
    readonly body?: z.ZodType<Body>;
    readonly query?: z.ZodType<Query>;
    readonly handle: (call: Call<Body, Query>) => Promise<Response> | Response;
  },
): Route {
  const { body } = definition;
  const strict = body instanceof z.ZodObject ? body.strict() : body;
  return { ...definition, ...(strict && { body: strict }) } as unknown as Route;
}
