import { neutraliseLine } from '@robota-sdk/agent-transcript/neutralise';
import type { CatalogueSession } from '../catalogue.ts';

type Row = Readonly<Record<string, unknown>>;

type SharedColumns = Pick<
  CatalogueSession,
  | 'agent'
  | 'type'
  | 'id'
  | 'title'
  | 'name'
  | 'preview'
  | 'cwd'
  | 'model'
  | 'branch'
  | 'createdAt'
  | 'updatedAt'
  | 'messages'
  | 'path'
>;

/** The columns that every database's session rows share, in the port's format. */
export function sharedColumns(row: Row): SharedColumns {
  const name = textOf(row.label) ?? textOf(row.name);
  return {
    agent: String(row.agent),
    type: String(row.type),
    id: String(row.native_id),
    title: name ?? (textOf(row.title) || '(no prompt)'),
    name,
    preview: textOf(row.preview) ?? '',
    cwd: textOf(row.cwd),
    model: lineOf(row.model),
    branch: lineOf(row.branch),
    createdAt: Number(row.created),
    updatedAt: Number(row.updated),
    messages: Number(row.messages),
    path: String(row.path),
  };
}

/** Neutralised, because names chosen by others are displayed in lists. */
export function lineOf(value: unknown): string | undefined {
  return typeof value === 'string' ? neutraliseLine(value) : undefined;
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
