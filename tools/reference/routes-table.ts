import { ROUTES } from '../../packages/transport/src/http/app.ts';
import type { Route } from '../../packages/transport/src/http/route.ts';
import { fieldsOf } from './fields-of.ts';
import { inputSchemaOf } from './json-schema.ts';
import { markdownTable } from './markdown-table.ts';

/** Every route, who may call it, and what it takes. */
export function routesTable(): string {
  const rows = ROUTES.map((route) => [
    `\`${route.method.toUpperCase()} ${route.path}\``,
    route.role === 'nobody' ? 'no token' : route.role,
    taken(route),
    route.summary,
  ]);
  return markdownTable(['route', 'role', 'query and body', 'what it does'], rows);
}

function taken({ query, body }: Route): string {
  const parts = [
    query && `?${fieldsOf(inputSchemaOf(query))}`,
    body && `{ ${fieldsOf(inputSchemaOf(body))} }`,
  ];
  return parts.filter(Boolean).join(' · ');
}
