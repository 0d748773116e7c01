import { readFlags } from '../../arguments/read-flags.ts';
import { EXIT } from '../../exit-code.ts';
import { blockText } from '../../export/block-text.ts';
import type { Output } from '../../output.ts';
import { UsageError } from '../../usage-error.ts';
import { collectSessions } from './find-sessions.ts';
import { type FoundSession, sessionTitle } from './found-session.ts';
import { loadExported } from './load-exported.ts';
import { createProgress } from './progress.ts';
import { mayContain } from './scan-file.ts';
import { transcriptPath } from './transcript-path.ts';

const FLAGS = {
  agent: { type: 'string', multiple: true },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

/** Where something was said. */
interface SearchHit {
  readonly agent: string;
  readonly sessionId: string;
  readonly title: string;
  readonly blockId: string;
  readonly blockType: string;
  readonly excerpt: string;
}

/** Hits of one session shown before the rest is only counted. */
const MOST_HITS = 3;

/** Reads every session once, newest first, and tells hits as they are found. Exit 1 when there are none, as grep does. */
export async function searchSessions(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const query = positionals.join(' ').trim();
  if (query === '') throw new UsageError('Usage: robota sessions search <text>');
  const sessions = await collectSessions({ cwd: undefined, agents: values.agent });
  const progress = createProgress(output, 'Searching', sessions.length);
  let found = 0;
  for (const session of sessions) {
    const hits = await searchSession(session, query);
    progress.step();
    if (hits.length === 0) continue;
    found += hits.length;
    progress.clear();
    if (values.json) for (const hit of hits) output.writeLine(JSON.stringify(hit));
    else showHits(output, session, hits);
  }
  progress.clear();
  if (found === 0) output.note(`Nothing found for "${query}" in ${sessions.length} sessions.`);
  return found > 0 ? EXIT.done : EXIT.failed;
}

/** The raw file is looked through first; only a session that can hold the text is read into blocks. */
async function searchSession(session: FoundSession, query: string): Promise<SearchHit[]> {
  if (!(await mayContain(transcriptPath(session), query))) return [];
  const { blocks, subagents } = await loadExported(session);
  const wanted = query.toLowerCase();
  return [...blocks, ...subagents.flatMap((thread) => thread.blocks)].flatMap((block) => {
    const { heading, text: said } = blockText(block);
    const text = block.type === 'tool_use' ? `${heading}\n${said}` : said;
    const at = text.toLowerCase().indexOf(wanted);
    if (at === -1) return [];
    return [
      {
        agent: session.agent,
        sessionId: session.id,
        title: sessionTitle(session),
        blockId: block.id,
        blockType: block.type,
        excerpt: excerptAt(text, at, query.length),
      },
    ];
  });
}

function excerptAt(text: string, at: number, length: number): string {
  const from = Math.max(0, at - 40);
  const to = Math.min(text.length, at + length + 60);
  const words = text.slice(from, to).replaceAll(/\s+/g, ' ').trim();
  return `${from > 0 ? '…' : ''}${words}${to < text.length ? '…' : ''}`;
}

function showHits(output: Output, session: FoundSession, hits: readonly SearchHit[]): void {
  output.writeLine(`${session.id}  ${session.agent}  ${sessionTitle(session).slice(0, 60)}`);
  for (const hit of hits.slice(0, MOST_HITS))
    output.writeLine(`    ${hit.blockType}: ${hit.excerpt}`);
  if (hits.length > MOST_HITS) output.writeLine(`    … ${hits.length - MOST_HITS} more`);
}
