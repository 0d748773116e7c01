import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueSession, DeletionNotice } from '@robota-sdk/agent-archive';
import type { CatalogueParity, SqliteCatalogue } from '@robota-sdk/agent-archive/sqlite';
import { robotaHome } from '@robota-sdk/agent-sdk';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import { agentTitle } from '../../arguments/read-agent.ts';
import { describeError } from '../../report-error.ts';
import { dollars } from '../session-row.ts';
import type { DoctorFinding } from './finding.ts';

const SUBJECT = 'Catalogue';

/** Checks that the catalogue matches the transcripts; reports invalid and deleted transcripts. */
export async function* examineCatalogue(isRepairing: boolean): AsyncGenerator<DoctorFinding> {
  const { SqliteCatalogue } = await import('@robota-sdk/agent-archive/sqlite');
  const robotaDirectory = robotaHome();
  let catalogue: SqliteCatalogue | undefined;
  try {
    mkdirSync(robotaDirectory, { recursive: true, mode: 0o700 });
    catalogue = new SqliteCatalogue({ robotaHome: robotaDirectory });
    yield* compare(catalogue, isRepairing);
    yield* examineTranscripts(catalogue, isRepairing);
    yield* reportDeletions(await catalogue.deletions());
  } catch (error) {
    const advice = `Until ${robotaDirectory} is writable and its catalogue.sqlite can be opened, sessions are read directly on each call. Deleting that file is safe.`;
    yield { subject: SUBJECT, state: 'problem', message: describeError(error), advice };
  } finally {
    await catalogue?.close();
  }
}

async function* compare(
  catalogue: SqliteCatalogue,
  isRepairing: boolean,
): AsyncGenerator<DoctorFinding> {
  const { failures, status } = await catalogue.refresh();
  if (status === 'busy') {
    const message = 'another robota process is updating the index; try again when it is done';
    yield { subject: SUBJECT, state: 'note', message };
    return;
  }
  for (const { path, reason } of failures) {
    const message = neutraliseLine(`${path} cannot be read: ${reason}`);
    yield { subject: SUBJECT, state: 'note', message };
  }
  const parity = await catalogue.compare();
  // Unreadable transcripts cannot be in the catalogue and were reported above.
  const unreadable = new Set(failures.map(({ path }) => path));
  const wrong = wrongWith(parity, unreadable);
  if (wrong.length === 0) {
    const message = `${parity.checked} sessions, up to date`;
    yield { subject: SUBJECT, state: 'ok', message };
    return;
  }
  if (isRepairing) {
    const { sessions } = await catalogue.rebuild();
    const message = `was wrong (${wrong.join('; ')}) and was rebuilt: ${sessions} sessions`;
    yield { subject: SUBJECT, state: 'note', message };
    return;
  }
  const advice = 'Run robota doctor --repair to rebuild it; nothing is lost.';
  yield { subject: SUBJECT, state: 'problem', message: wrong.join('; '), advice };
}

/** Differences of sessions that are being written to during the check are not faults. */
function wrongWith(
  { missing, extra, different, faults }: CatalogueParity,
  unreadable: ReadonlySet<string>,
): string[] {
  const count = (paths: readonly string[], words: string) =>
    paths.length === 0
      ? []
      : [`${paths.length} ${words}, such as ${neutraliseLine(paths[0] ?? '')}`];
  return [
    ...count(
      missing.filter((path) => !unreadable.has(path)),
      'sessions are missing',
    ),
    ...count(extra, 'sessions no longer exist'),
    ...count(different, 'sessions differ from their transcripts'),
    ...faults,
  ];
}

/** Transcripts that their own program would reject or misread; only copies are ever repaired. */
async function* examineTranscripts(
  catalogue: SqliteCatalogue,
  isRepairing: boolean,
): AsyncGenerator<DoctorFinding> {
  const { examineTranscript, repairTranscript } = await import('@robota-sdk/agent-archive');
  let checked = 0;
  let faulty = 0;
  for await (const session of foreignSessions(catalogue)) {
    checked += 1;
    const { type, path, agent, id, title } = session;
    const subject = `${agentTitle(agent)} ${id}`;
    try {
      const faults = examineTranscript({ type, path });
      const [first] = faults;
      // A live session may be in the middle of a line or a call.
      if (first === undefined || session.isLive) continue;
      faulty += 1;
      const more = faults.length > 1 ? ` (and ${faults.length - 1} more)` : '';
      const message = neutraliseLine(`"${title}", line ${first.line}: ${first.message}${more}`);
      if (!isRepairing) {
        const advice = `robota doctor --repair writes a repaired copy; robota validate ${id} lists every problem.`;
        yield { subject, state: 'note', message, advice };
        continue;
      }
      const copy = repairTranscript({ type, path }, join(robotaHome(), 'repaired', agent));
      const advice = `Repaired copy: ${copy?.path ?? ''}; replace ${neutraliseLine(path)} with it if you want ${agentTitle(agent)} to use it.`;
      yield { subject, state: 'note', message, advice };
    } catch (error) {
      yield { subject, state: 'note', message: neutraliseLine(describeError(error)) };
    }
  }
  const message = `${checked - faulty} of ${checked} are valid for their programs`;
  yield { subject: 'Transcripts', state: 'ok', message };
}

async function* foreignSessions(catalogue: SqliteCatalogue): AsyncGenerator<CatalogueSession> {
  let after: string | undefined;
  do {
    const page = await catalogue.list({ limit: 500, after, archived: 'with' });
    yield* page.sessions.filter(({ type }) => type !== 'robota');
    after = page.next;
  } while (after !== undefined);
}

const MAX_DELETIONS = 10;

/** Reports transcripts that their program deleted; their usage is still counted. */
function* reportDeletions(deletions: readonly DeletionNotice[]): Generator<DoctorFinding> {
  for (const deletion of deletions.slice(0, MAX_DELETIONS)) {
    const { agent, id, title, noticedAt, requests, costUsd } = deletion;
    const day = new Date(noticedAt).toISOString().slice(0, 10);
    const named = title === '' ? '' : ` "${title}"`;
    const message = neutraliseLine(
      `${agentTitle(agent)} ${id}${named}, found deleted on ${day}; its ${requests} requests (${dollars(costUsd)}) still count`,
    );
    yield { subject: 'Deleted', state: 'note', message };
  }
  const more = deletions.length - MAX_DELETIONS;
  if (more > 0) yield { subject: 'Deleted', state: 'note', message: `and ${more} more` };
}
