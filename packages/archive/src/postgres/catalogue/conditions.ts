import type { SessionFilter } from '../../catalogue.ts';
import { identifySharedProject } from '../../reading/project-identity.ts';
import type { Value } from '../link.ts';

/** Conditions on `s`, a session of the catalogue; each `?` stands for the next value. */
export class Conditions {
  readonly values: Value[] = [];
  readonly #texts: string[] = [];

  add(text: string, ...values: Value[]): this {
    let next = this.values.length;
    this.#texts.push(text.replaceAll('?', () => `$${++next}`));
    this.values.push(...values);
    return this;
  }

  /** The placeholder of a value used outside the conditions. */
  value(value: Value): string {
    this.values.push(value);
    return `$${this.values.length}`;
  }

  toString(): string {
    return this.#texts.length === 0 ? 'true' : this.#texts.map((text) => `(${text})`).join(' AND ');
  }
}

/** Conditions of a filter; hidden sessions and copies are left out. */
export function conditionsOf(filter: SessionFilter): Conditions {
  const conditions = new Conditions().add('NOT s.is_hidden AND NOT s.is_twin');
  addScope(conditions, filter);
  const { since, until } = filter;
  if (since !== undefined) conditions.add('s.updated >= ?::bigint', Math.floor(since));
  if (until !== undefined) conditions.add('s.updated < ?::bigint', Math.floor(until));
  return conditions;
}

export function addScope(
  conditions: Conditions,
  { agent, here, project }: Pick<SessionFilter, 'agent' | 'here' | 'project'>,
): void {
  if (agent !== undefined) conditions.add('s.type = ? OR s.agent = ?', plain(agent), plain(agent));
  if (here !== undefined) {
    const { key } = identifySharedProject(here);
    conditions.add('s.project_key = ? OR s.cwd = ?', plain(key), plain(here));
  }
  if (project !== undefined) {
    const part = likePart(project);
    conditions.add('s.project ILIKE ? OR s.project_key ILIKE ? OR s.cwd ILIKE ?', part, part, part);
  }
}

export function likePart(text: string): string {
  return `%${plain(text).replace(/[\\%_]/g, '\\$&')}%`;
}

/** PostgreSQL rejects text with NUL characters. */
export function plain(text: string): string {
  return text.replaceAll('\0', ' ');
}
