import type { Catalogue, CatalogueSession, ListQuery } from '@robota-sdk/agent-archive';
import { readAgent } from '../../arguments/read-agent.ts';
import { readCount, readFlags } from '../../arguments/read-flags.ts';
import { readSince } from '../../arguments/read-since.ts';
import type { Output } from '../../output.ts';
import { jsonText, terminalWidth } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { withCatalogue } from '../catalogue.ts';
import { sessionRows } from '../session-row.ts';

const FLAGS = {
  here: { type: 'boolean' },
  all: { type: 'boolean', short: 'a' },
  agent: { type: 'string' },
  project: { type: 'string' },
  since: { type: 'string' },
  name: { type: 'string' },
  text: { type: 'string' },
  limit: { type: 'string' },
  after: { type: 'string' },
  refresh: { type: 'boolean' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

const PAGE = 50;

/** Lists sessions newest first: by default those of this project, of every agent. */
export async function listSessions(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [unexpected] = positionals;
  if (unexpected !== undefined) {
    throw new UsageError(`sessions list takes no "${unexpected}"; --name or --text looks for it.`);
  }
  if (values.here && values.all) throw new UsageError('--here and --all exclude each other.');
  const isEverywhere = values.all === true || (values.project !== undefined && !values.here);
  const limit = readCount('--limit', values.limit);
  const query: ListQuery = {
    here: isEverywhere ? undefined : process.cwd(),
    agent: readAgent(values.agent),
    project: values.project,
    since: readSince(values.since),
    name: values.name,
    text: values.text,
    after: values.after,
    limit: limit ?? PAGE,
  };
  const freshness = values.refresh ? 'whole' : 'quick';
  const isWhole = values.json === true && limit === undefined;
  const { sessions, next } = await withCatalogue({ output, freshness }, (catalogue) =>
    isWhole ? listAll(catalogue, query) : catalogue.list(query),
  );
  if (values.json) output.writeLine(jsonText(sessions));
  // One write for all: thousands of small writes take longer than finding the sessions.
  else if (sessions.length > 0) {
    output.writeLine(sessionRows(sessions, terminalWidth(output)).join('\n'));
  } else output.note(nothingFound(values, isEverywhere));
  if (next !== undefined) output.note(`There are more: add --after ${next}`);
  return 0;
}

async function listAll(catalogue: Catalogue, query: ListQuery) {
  const sessions: CatalogueSession[] = [];
  let { after } = query;
  for (;;) {
    const page = await catalogue.list({ ...query, after, limit: 1000 });
    sessions.push(...page.sessions);
    if (page.next === undefined) return { sessions, next: undefined };
    after = page.next;
  }
}

function nothingFound(values: Readonly<Record<string, unknown>>, isEverywhere: boolean): string {
  const isFiltered = ['agent', 'project', 'since', 'name', 'text'].some((flag) => values[flag]);
  if (isEverywhere) return isFiltered ? 'No matching sessions.' : 'No sessions found.';
  return `No ${isFiltered ? 'matching ' : ''}sessions in this directory; --all lists all sessions on this machine.`;
}
