import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Admission } from '../admission/admission.ts';
import type { Identity, Role } from '../admission/roles.ts';
import type { SessionDirectory } from '../live/session-directory.ts';
import type { SessionGateway } from '../live/session-gateway.ts';
import type { ServerParts } from './server-parts.ts';

/** Shared by the route handlers of one server. */
export interface RouteContext {
  readonly gateway: SessionGateway;
  readonly directory: SessionDirectory;
  readonly admission: Admission;
  readonly parts: ServerParts;
  /** Changes when the server restarts. */
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

/** One validated request. */
export interface Call<Body, Query = unknown> {
  readonly context: HttpContext;
  readonly shared: RouteContext;
  /** A decoded path parameter. */
  readonly param: (name: string) => string;
  readonly body: Body;
  readonly query: Query;
  readonly identity: Identity;
}

/** One route: address, schemas and handler. The OpenAPI document is generated from these. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** The role a caller needs; `nobody` means none. */
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
  /** Also available as an event stream. */
  readonly events?: boolean;
}

/** Infers the handler's body and query types from the schemas. Unknown body fields are refused. */
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
