import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import type { Admission, Caller } from '../admission/admission.ts';
import { assertRole, type Identity } from '../admission/roles.ts';
import { parseInput } from '../live/parse-input.ts';
import { toWireError, WireError } from '../live/wire-error.ts';
import { openApiDocument } from './openapi.ts';
import { type HttpContext, type Route, route, type Scene } from './route.ts';
import { SESSION_ROUTES } from './session-routes.ts';

export type HttpApp = Hono<{ Bindings: HttpBindings; Variables: { identity: Identity } }>;

export interface AppOptions {
  readonly scene: Scene;
  readonly admission: Admission;
  readonly maxBodyBytes: number;
}

const OPENAPI: Route = route({
  method: 'get',
  path: '/api/openapi.json',
  summary: 'This document',
  role: 'read',
  responses: { 200: { description: 'The OpenAPI document' } },
  handle: ({ context }) => context.json(openApiDocument(ROUTES)),
});

const ROUTES: readonly Route[] = [...SESSION_ROUTES, OPENAPI];

/** The web application: who may come in, then the routes. Every refusal is `{ error: { code, message } }`. */
export function createApp({ scene, admission, maxBodyBytes }: AppOptions): HttpApp {
  const app: HttpApp = new Hono();
  app.onError((error, context) => errorResponse(context, error));
  app.notFound((context) =>
    errorResponse(context, new WireError('unknown_route', 'There is nothing at this address.')),
  );
  app.get('/', (context) => context.text('Robota serves sessions at /api/sessions.\n'));
  app.use('/api/*', async (context, next) => {
    const origin = context.req.header('origin');
    const isShared = origin !== undefined && admission.allowsOrigin(origin);
    if (context.req.method === 'OPTIONS' && isShared) return preflight(admission, context);
    if (isShared) shareWith(context, origin);
    context.set('identity', admission.admit(callerOf(context)));
    return next();
  });
  app.use(
    '/api/*',
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: (context) =>
        errorResponse(context, new WireError('too_large', `At most ${maxBodyBytes} bytes fit.`)),
    }),
  );
  for (const each of ROUTES) {
    const path = each.path.replace(/\{(\w+)\}/g, ':$1');
    app.on(each.method.toUpperCase(), path, (context) => answer(each, context, scene));
  }
  return app;
}

async function answer(each: Route, context: HttpContext, scene: Scene): Promise<Response> {
  const identity = context.get('identity');
  assertRole(identity, each.role);
  const body = each.body ? await readBody(each.body, context) : undefined;
  const param = (name: string) => context.req.param(name) ?? '';
  return each.handle({ context, scene, param, body: body as never, identity });
}

/** An empty body says nothing, which is enough for requests that need nothing. */
async function readBody(schema: z.ZodType, context: HttpContext): Promise<unknown> {
  const text = await context.req.text();
  return parseInput(text.trim() === '' ? '{}' : text, schema, 'invalid_request');
}

function errorResponse(context: HttpContext, error: unknown): Response {
  const failure = toWireError(error);
  if (failure.code === 'unauthorized') context.header('www-authenticate', 'Bearer');
  return context.json(failure.toJSON(), failure.status as ContentfulStatusCode);
}

function callerOf(context: HttpContext): Caller {
  return {
    host: context.req.header('host'),
    origin: context.req.header('origin'),
    authorization: context.req.header('authorization'),
    address: context.env?.incoming?.socket.remoteAddress ?? 'unknown',
  };
}

function preflight(admission: Admission, context: HttpContext): Response {
  admission.checkPlace(callerOf(context));
  shareWith(context, context.req.header('origin') ?? '');
  context.header('access-control-allow-methods', 'GET, POST, PATCH, DELETE');
  context.header('access-control-allow-headers', 'authorization, content-type, last-event-id');
  context.header('access-control-max-age', '600');
  return context.body(null, 204);
}

function shareWith(context: HttpContext, origin: string): void {
  context.header('access-control-allow-origin', origin);
  context.header('vary', 'origin');
}
