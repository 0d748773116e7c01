import { z } from 'zod';
import { errorSchema } from '../protocol.ts';
import type { Route, RouteResponse } from './route.ts';

/** The OpenAPI document of these routes, generated from the schemas that validate requests. */
export function openApiDocument(routes: readonly Route[]): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const route of routes) {
    paths[route.path] = { ...paths[route.path], [route.method]: operation(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Robota', version: '1', description: 'Agent sessions over HTTP.' },
    security: [{ token: [] }],
    paths,
    components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
  };
}

function operation({ path, summary, body, query, responses }: Route): object {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
  const queries = Object.entries(query?.shape ?? {}).map(([name, schema]) => ({
    name,
    in: 'query',
    required: false,
    schema: jsonSchema(schema as z.ZodType),
  }));
  return {
    summary,
    parameters: [
      ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...queries,
    ],
    ...(body && {
      requestBody: { content: { 'application/json': { schema: jsonSchema(body) } } },
    }),
    responses: {
      ...Object.fromEntries(
        Object.entries(responses).map(([status, response]) => [status, describe(response)]),
      ),
      default: {
        description: 'The error: a code to act on, and a message',
        content: { 'application/json': { schema: jsonSchema(errorSchema) } },
      },
    },
  };
}

function describe({ description, schema, events }: RouteResponse): object {
  const type = events ? 'text/event-stream' : 'application/json';
  const content = events || schema ? { [type]: schema ? { schema: jsonSchema(schema) } : {} } : {};
  return { description, content };
}

function jsonSchema(schema: z.ZodType): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  return rest;
}
