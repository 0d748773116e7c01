import type { CatalogueSession, Resolution, SessionScope } from '../catalogue.ts';
import type { CatalogueDatabase, SqlValue } from './database.ts';
import { conditionsOf, SESSION_COLUMNS, SESSION_SOURCE, toSessions } from './session-query.ts';

/** A shorter prefix of an id is more likely a typo than a reference. */
const MIN_PREFIX_LENGTH = 4;
const MAX_CANDIDATES = 20;

/**
 * In this order: `last`, an id, a name (of this project before others), a prefix of an id. `claude:…` narrows any
 * of them to one agent. The first step that finds something decides; it never picks one of several.
 */
export function resolveSessionName(
  database: CatalogueDatabase,
  reference: string,
  { scope, now }: { readonly scope: SessionScope; readonly now: number },
): Resolution {
  const [text, agent] = splitAgent(database, reference);
  const narrowed = { agent: scope.agent ?? agent };
  const find = (where: string, values: readonly SqlValue[], within: SessionScope = narrowed) => {
    const conditions = conditionsOf(database, within);
    const rows = database.rows(
      `select ${SESSION_COLUMNS} from ${SESSION_SOURCE} where ${conditions} and (${where})
       order by s.updated desc, s.native_id desc limit ${MAX_CANDIDATES}`,
      ...conditions.values,
      ...values,
    );
    return toSessions(database, rows, now);
  };
  if (text === 'last') return newest(find('true', [], { ...narrowed, here: scope.here }));
  if (text === '') return { kind: 'none' };
  const named = 'coalesce(l.name, s.name, s.title) = ? collate nocase';
  const steps = [
    () => find('s.native_id = ?', [text]),
    () => (scope.here === undefined ? [] : find(named, [text], { ...narrowed, here: scope.here })),
    () => find(named, [text]),
    () =>
      text.length < MIN_PREFIX_LENGTH
        ? []
        : find('substr(s.native_id, 1, ?) = ?', [text.length, text]),
  ];
  for (const step of steps) {
    const found = step();
    if (found.length > 0) return onlyOne(found);
  }
  return { kind: 'none' };
}

function newest([session]: readonly CatalogueSession[]): Resolution {
  return session === undefined ? { kind: 'none' } : { kind: 'found', session };
}

function onlyOne(found: readonly CatalogueSession[]): Resolution {
  const [session] = found;
  if (session !== undefined && found.length === 1) return { kind: 'found', session };
  return { kind: 'ambiguous', candidates: found };
}

function splitAgent(
  database: CatalogueDatabase,
  reference: string,
): readonly [text: string, agent: string | undefined] {
  const colon = reference.indexOf(':');
  if (colon < 1) return [reference, undefined];
  const agent = reference.slice(0, colon);
  const isAgent = database.row(
    'select 1 as found from session where agent = ? or type = ? limit 1',
    agent,
    agent,
  );
  return isAgent ? [reference.slice(colon + 1), agent] : [reference, undefined];
}
