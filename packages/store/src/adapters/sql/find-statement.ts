import type { ExactQuery } from '../../session-query.ts';
import type { SessionState } from '../../stored-session.ts';
import { keyText } from '../key-text.ts';

type Value = string | number;

/** Differences between the databases: parameter syntax and table names. */
export interface SqlDialect {
  /** The text of a parameter, numbered from 1. */
  parameter(number: number): string;
  readonly sessions: string;
  readonly surfaces: string;
}

export interface Statement {
  readonly text: string;
  readonly values: readonly Value[];
}

/**
 * Creates the statement for a query. Every state is looked up separately in an index that ends in the sort order,
 * so the database reads about as many rows as it returns, however many sessions there are.
 */
export class FindStatements {
  readonly #dialect: SqlDialect;
  /** Cached by shape: queries that differ only in values have the same text. */
  readonly #texts = new Map<string, string>();

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  write(query: ExactQuery): Statement {
    const filters = filtersOf(query);
    const shape = `${query.states.join()}:${Object.keys(filters).join()}`;
    const text = this.#texts.get(shape) ?? findText(query.states, filters, this.#dialect);
    this.#texts.set(shape, text);
    return { text, values: [...query.states, ...Object.values(filters), query.limit] };
  }
}

/** The filters of a query, in the order of their parameters. */
type Filters = Partial<Record<'user' | 'workspace' | 'surface' | 'after' | 'before', Value>>;

function filtersOf(query: ExactQuery): Filters {
  return {
    ...(query.userId === undefined ? {} : { user: keyText(query.userId) }),
    ...(query.workspaceId === undefined ? {} : { workspace: keyText(query.workspaceId) }),
    ...(query.surfaceId === undefined ? {} : { surface: keyText(query.surfaceId) }),
    ...(query.activeAfter === undefined ? {} : { after: -query.activeAfter }),
    ...(query.activeBefore === undefined ? {} : { before: -query.activeBefore }),
  };
}

/** Parameters: the states, then the filters, then the limit; each may be used several times. */
function findText(states: readonly SessionState[], filters: Filters, dialect: SqlDialect): string {
  const names = Object.keys(filters);
  const limit = dialect.parameter(states.length + names.length + 1);
  const { lead, tables, where } = conditionsOf(filters, dialect, (name) =>
    dialect.parameter(states.length + names.indexOf(name) + 1),
  );
  const order = `${lead}.activity_key, ${lead}.creation_key, ${lead}.id`;
  const parts = states.map((_state, index) => {
    const all = [`${lead}.state = ${dialect.parameter(index + 1)}`, ...where].join(' AND ');
    return (
      `SELECT * FROM (SELECT session.record, ${order} FROM ${tables} WHERE ${all}` +
      ` ORDER BY ${order} LIMIT ${limit}) AS state${index}`
    );
  });
  return `SELECT record FROM (${parts.join(' UNION ALL ')}) AS found ORDER BY activity_key, creation_key, id LIMIT ${limit}`;
}

interface Conditions {
  /** The table whose index is scanned. */
  readonly lead: 'session' | 'slot';
  readonly tables: string;
  readonly where: readonly string[];
}

function conditionsOf(
  filters: Filters,
  dialect: SqlDialect,
  parameter: (name: keyof Filters) => string,
): Conditions {
  const isBySurface = filters.surface !== undefined && filters.user === undefined;
  // The surface table has its own copies of state and activity, for its index.
  const lead = isBySurface ? 'slot' : 'session';
  const attached = `slot.id = session.id AND slot.surface_id = ${parameter('surface')}`;
  const texts: Record<keyof Filters, string> = {
    user: `session.user_id = ${parameter('user')}`,
    workspace: `session.workspace_id = ${parameter('workspace')}`,
    surface: isBySurface
      ? `slot.surface_id = ${parameter('surface')}`
      : `EXISTS (SELECT 1 FROM ${dialect.surfaces} AS slot WHERE ${attached})`,
    after: `${lead}.activity_key < ${parameter('after')}`,
    before: `${lead}.activity_key > ${parameter('before')}`,
  };
  // The keys come from the object literal above.
  const names = Object.keys(filters) as (keyof Filters)[];
  const joined = `${dialect.surfaces} AS slot JOIN ${dialect.sessions} AS session ON session.id = slot.id`;
  return {
    lead,
    tables: isBySurface ? joined : `${dialect.sessions} AS session`,
    where: names.map((name) => texts[name]),
  };
}
