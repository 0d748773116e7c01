import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { z } from 'zod';
import type { Identity, Role } from '../admission/roles.ts';
import type { SessionDoor } from '../live/session-door.ts';

/** What handlers of one server share. */
export interface Scene {
  readonly door: SessionDoor;
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
export interface Call<Body> {
  readonly context: HttpContext;
  readonly scene: Scene;
  /** A segment of the path, decoded. */
  readonly param: (name: string) => string;
  readonly body: Body;
  /** Who calls. */
  readonly identity: Identity;
}

/** One route: how it is reached, what it takes and gives, and what it does. The OpenAPI document is made of these. */
export interface Route {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** Parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** What the caller must be allowed to do. */
  readonly role: Role;
  /** The JSON body; an empty one counts as `{}`. */
  readonly body?: z.ZodType | undefined;
  readonly query?: z.ZodObject | undefined;
  readonly responses: Readonly<Record<number, RouteResponse>>;
  readonly handle: (call: Call<never>) => Promise<Response> | Response;
}

export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Also as a stream of events. */
  readonly events?: boolean;
}

/** Keeps the body's type between schema and handler. */
export function route<Body = unknown>(
  definition: Omit<Route, 'body' | 'handle'> & {
    readonly body?: z.ZodType<Body>;
    readonly handle: (call: Call<Body>) => Promise<Response> | Response;
  },
): Route {
  return definition as unknown as Route;
}
