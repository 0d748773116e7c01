import { isUtf8 } from 'node:buffer';
import type { HttpBindings } from '@hono/node-server';
import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { z } from 'zod';
import type { Admission } from '../admission/admission.ts';
import { assertRole, type Identity } from '../admission/roles.ts';
import { describeIssue } from '../live/describe-issue.ts';
import { parseInput } from '../live/parse-input.ts';
import { toWireError, WireError } from '../live/wire-error.ts';
import { ACCESS_ROUTES } from './access-routes.ts';
import { callerOf } from './caller.ts';
import { HAND_OVER_ROUTES } from './hand-over-routes.ts';
import { LIST_ROUTES } from './list-routes.ts';
import { openApiDocument } from './openapi.ts';
import { READING_ROUTES } from './reading-routes.ts';
import { type HttpContext, type Route, type RouteContext, route } from './route.ts';
import type { McpEndpoint } from './server-parts.ts';
import { SESSION_ROUTES } from './session-routes.ts';

/** The API as a web-standard handler. */
export type HttpApp = Hono<{ Bindings: HttpBindings; Variables: { identity: Identity } }>;

export interface AppOptions {
  readonly shared: RouteContext;
  readonly maxBodyBytes: number;
  /** False while the server should not receive work. */
  readonly isReady: () => boolean;
}

const OPENAPI: Route = route({
  method: 'get',
  path: '/api/openapi.json',
  summary: 'This document',
  role: 'read',
  responses: { 200: { description: 'The OpenAPI document' } },
  handle: ({ context }) => context.json(openApiDocument(ROUTES)),
});

// List routes come before `/api/sessions/{id}`, which would match them as ids.
export const ROUTES: readonly Route[] = [
  ...LIST_ROUTES,
  ...SESSION_ROUTES,
  ...READING_ROUTES,
  ...HAND_OVER_ROUTES,
  ...ACCESS_ROUTES,
  OPENAPI,
];
const OPEN_PATHS = ROUTES.filter(({ role }) => role === 'nobody').map(
  ({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, '[^/]+')}$`),
);

/** The web application: admission, then the routes. Every refusal is `{ error: { code, message } }`. */
export function createApp({ shared, maxBodyBytes, isReady }: AppOptions): HttpApp {
  const { admission, parts } = shared;
  const app: HttpApp = new Hono();
  app.onError((error, context) => errorResponse(context, error));
  app.notFound((context) =>
    errorResponse(context, new WireError('unknown_route', 'There is nothing at this address.')),
  );
  addHealthRoutes(app, isReady);
  app.use('/api/*', async (context, next) => {
    const origin = context.req.header('origin');
    const isShared = origin !== undefined && admission.allowsOrigin(origin);
    if (context.req.method === 'OPTIONS' && isShared) return preflight(admission, context);
    if (isShared) shareWith(context, origin);
    const isOpen = OPEN_PATHS.some((path) => path.test(context.req.path));
    context.set('identity', isOpen ? NOBODY : admission.admit(callerOf(context)));
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
    app.on(each.method.toUpperCase(), path, (context) => answer(each, context, shared));
  }
  if (parts.mcp) mountMcp(app, shared, parts.mcp);
  mountPage(app, shared);
  return app;
}

/**
 * For monitoring: `/healthz` shows that the process answers, `/readyz` whether it should receive work. They reveal
 * nothing else, so they need no token.
 */
function addHealthRoutes(app: HttpApp, isReady: () => boolean): void {
  app.get('/healthz', (context) => context.text('ok\n'));
  app.get('/readyz', (context) =>
    isReady() ? context.text('ready\n') : context.text('not ready\n', 503),
  );
}

/** Has no role; reaches only open routes. */
const NOBODY: Identity = { user: undefined, roles: new Set() };

function mountMcp(app: HttpApp, { admission }: RouteContext, mcp: McpEndpoint): void {
  app.all('/mcp', (context) => {
    const identity = admission.admit(callerOf(context));
    assertRole(identity, 'prompt');
    return mcp.fetch(context.req.raw, identity);
  });
}

/** The page holds no data and needs no token; unknown hosts are still refused. */
function mountPage(app: HttpApp, { admission, parts }: RouteContext): void {
  const { page } = parts;
  if (!page) {
    app.get('/', (context) => context.text('Robota serves sessions at /api/sessions.\n'));
    return;
  }
  app.get('*', (context, next) => {
    admission.checkPlace({ ...callerOf(context), origin: undefined });
    const file = page.find(context.req.path, context.req.header('accept-encoding'));
    if (!file) return next();
    return context.body(Buffer.from(file.body), 200, { ...file.headers });
  });
}

async function answer(each: Route, context: HttpContext, shared: RouteContext): Promise<Response> {
  const identity = context.get('identity');
  if (each.role !== 'nobody') assertRole(identity, each.role);
  const body = each.body ? await readBody(each.body, context) : undefined;
  const query = each.query ? readQuery(each.query, context) : undefined;
  const param = (name: string) => context.req.param(name) ?? '';
  return each.handle({
    context,
    shared,
    param,
    body: body as never,
    query: query as never,
    identity,
  });
}

function readQuery(schema: z.ZodType, context: HttpContext): unknown {
  const given = context.req.query();
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new WireError('invalid_request', describeIssue(parsed.error, given));
}

/** An empty body counts as `{}`. */
async function readBody(schema: z.ZodType, context: HttpContext): Promise<unknown> {
  const text = decode(await context.req.arrayBuffer());
  return parseInput(text.trim() === '' ? '{}' : text, schema, 'invalid_request');
}

/** Invalid UTF-8 is refused, not replaced, so a prompt never differs from what was sent. */
function decode(bytes: ArrayBuffer): string {
  if (!isUtf8(bytes)) throw new WireError('invalid_json', 'The body is not UTF-8.');
  return Buffer.from(bytes).toString('utf8');
}

function errorResponse(context: HttpContext, error: unknown): Response {
  const failure = toWireError(error);
  if (failure.code === 'unauthorized') context.header('www-authenticate', 'Bearer');
  return context.json(failure.toJSON(), failure.status as ContentfulStatusCode);
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
