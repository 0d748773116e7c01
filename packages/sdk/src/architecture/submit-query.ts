import type { CommandResult } from '../commands/system-command.ts';
import type { InteractiveSession } from '../interactive/interactive-session.ts';

/** How a query ended, without its result. */
export type QueryEnd =
  | { readonly status: 'completed' | 'interrupted' | 'superseded' }
  | { readonly status: 'failed'; readonly error: Error }
  | { readonly status: 'refused'; readonly reason: string };

/** Submits a query; `/name words` runs the skill or command of that name, if any. */
export async function submitQuery(session: InteractiveSession, query: string): Promise<QueryEnd> {
  const [, name = '', words = ''] = /^\/(\S+)\s*(.*)$/s.exec(query) ?? [];
  if (!isKnown(session, name)) return session.submit(query);
  const result = await session.executeCommand(name, words.trim());
  return result === null ? session.submit(query) : endOf(result);
}

/** Built-in commands are excluded, because they are made for surfaces. */
function isKnown(session: InteractiveSession, name: string): boolean {
  return session
    .getCommandSources()
    .some((source) => source.getCommands().some((command) => command.name === name));
}

function endOf({ success, message, data }: CommandResult): QueryEnd {
  if (success) return { status: 'completed' };
  if (data?.status === 'interrupted') return { status: 'interrupted' };
  return { status: 'failed', error: new Error(message) };
}
