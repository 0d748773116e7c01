import type { z } from 'zod';
import {
  clientMessageSchema,
  replySchema,
  sessionEventSchema,
} from '../../packages/transport/src/protocol.ts';
import { fieldsOf } from './fields-of.ts';
import { inputSchemaOf, type JsonSchema } from './json-schema.ts';
import { markdownTable } from './markdown-table.ts';

/** Every event has these. */
const NUMBERS = ['type', 'session_id', 'seq', 'part'];

/** What goes over a WebSocket, both ways; events are the same on SSE. */
export function messageTables(): string {
  return [
    'Messages of a client:',
    messages(clientMessageSchema, ['type']),
    'Events of a session, sent to every client; each also has `session_id`, `seq` and `part`:',
    messages(sessionEventSchema, NUMBERS),
    'Replies, sent only to the client they answer:',
    messages(replySchema, ['type']),
  ].join('\n\n');
}

function messages(schema: z.ZodType, without: readonly string[]): string {
  const { oneOf, anyOf } = inputSchemaOf(schema);
  const rows = (oneOf ?? anyOf ?? []).map((each) => [
    `\`${typeOf(each)}\``,
    fieldsOf(each, without),
  ]);
  return markdownTable(['`type`', 'fields'], rows);
}

function typeOf({ properties }: JsonSchema): string {
  return String(properties?.type?.const ?? properties?.type?.enum?.join('`, `') ?? '');
}
