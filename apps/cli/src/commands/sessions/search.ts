import type { FoundSession, SearchPage } from '@robota-sdk/agent-archive';
import { neutraliseLine } from '@robota-sdk/agent-transcript/neutralise';
import { readAgent } from '../../arguments/read-agent.ts';
import { readCount, readFlags } from '../../arguments/read-flags.ts';
import { readSince } from '../../arguments/read-since.ts';
import { EXIT } from '../../exit-code.ts';
import type { Output } from '../../output.ts';
import { jsonText } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { withCatalogue } from '../catalogue.ts';
import { timeAgo } from './time-ago.ts';

const FLAGS = {
  here: { type: 'boolean' },
  all: { type: 'boolean', short: 'a' },
  agent: { type: 'string' },
  project: { type: 'string' },
  since: { type: 'string' },
  in: { type: 'string' },
  limit: { type: 'string' },
  hits: { type: 'string' },
  refresh: { type: 'boolean' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

/** Full-text search over all agents, newest first. Exit code 1 if nothing matches, like grep. */
export async function searchSessions(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const text = positionals.join(' ').trim();
  if (text === '') throw new UsageError('Usage: robota search <text>');
  const query = {
    text,
    here: values.here ? process.cwd() : undefined,
    agent: readAgent(values.agent),
    project: values.project,
    since: readSince(values.since),
    in: readPart(values.in),
    limit: readCount('--limit', values.limit),
    hitsPerSession: readCount('--hits', values.hits),
  };
  const freshness = values.refresh ? 'whole' : 'quick';
  const { page, known } = await withCatalogue({ output, freshness }, async (catalogue) => ({
    page: await catalogue.search(query),
    known: (await catalogue.state()).sessions,
  }));
  if (page.problem !== undefined) throw new UsageError(page.problem);
  if (values.json) for (const found of page.sessions) writeHits(output, found);
  else showPage(output, page);
  if (page.sessions.length > 0) return EXIT.done;
  output.note(`Nothing found for "${text}" in ${known} sessions.`);
  return EXIT.failed;
}

function readPart(text: string | undefined): 'said' | 'tools' | undefined {
  if (text === undefined || text === 'said' || text === 'tools') return text;
  throw new UsageError(`Invalid --in "${text}". Valid: said | tools`);
}

function writeHits(output: Output, { session, hits }: FoundSession): void {
  const { agent, id, title, project, updatedAt } = session;
  for (const hit of hits) {
    output.writeLine(jsonText({ agent, sessionId: id, title, project, updatedAt, ...hit }));
  }
}

function showPage(output: Output, { sessions, hasMore }: SearchPage): void {
  for (const { session, hits } of sessions) {
    const { agent, id, title, project, updatedAt } = session;
    const facts = [timeAgo(updatedAt), project].filter(Boolean).join(', ');
    output.writeLine(neutraliseLine(`${id}  ${agent}  ${title}  (${facts})`));
    for (const { blockId, snippet, isSuperseded } of hits) {
      const mark = isSuperseded ? ' (given up)' : '';
      output.writeLine(neutraliseLine(`    ${blockId}${mark}  ${snippet}`));
    }
  }
  const [first] = sessions;
  const [hit] = first?.hits ?? [];
  if (first === undefined || hit === undefined) return;
  const { id } = first.session;
  output.note(neutraliseLine(`Show: robota sessions show ${id} --block ${hit.blockId}`));
  output.note(neutraliseLine(`Continue: robota resume ${id}`));
  if (hasMore) output.note('Older sessions match too; --limit shows more.');
}
