import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { neutraliseEscapes } from '@robota-sdk/agent-transcript';
import { conversationHtml } from '@robota-sdk/agent-web/export';
import { pageFolder } from '../page-folder.ts';
import { type ExportedSession, exportTitle } from './exported-session.ts';

/** One self-contained file that looks like the web page: no scripts, no external resources. */
export function renderHtml(session: ExportedSession): string {
  const styles = readFileSync(join(pageFolder(), 'export.css'), 'utf8');
  const { agent, id, cwd, updatedAt } = session;
  const when = updatedAt === undefined ? undefined : writtenAt(updatedAt);
  const facts = [agent, cwd, when, id].flatMap((fact) => fact || []);
  const title = exportTitle(session);
  const pieces = conversationHtml(session, { title, facts, styles, cwd });
  return neutraliseEscapes([...pieces].join(''));
}

/** A readable time, independent of the reader's time zone and locale. */
function writtenAt(iso: string): string {
  const time = new Date(iso);
  if (Number.isNaN(time.getTime())) return iso;
  return `${time.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' })} UTC`;
}
