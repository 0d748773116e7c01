import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import { describePage, describeTask } from './background-tools.ts';
import type { SessionCommands } from './session-commands.ts';

/** Default cursor: the last lines, which show the current state. */
const LAST_LINES = -50;

const USAGE = 'Usage: background [list | read <id> [cursor] | cancel <id>]';

/** Lists, reads and cancels background tasks. */
export function backgroundCommand(
  tasks: BackgroundTasks,
  commands: SessionCommands | undefined,
): SystemCommand {
  return {
    name: 'background',
    description: 'List, read or cancel background tasks, or move a running command there',
    async execute(_session, args) {
      const [action = 'list', id = '', cursor] = args.split(/\s+/).filter(Boolean);
      if (action === 'list') return list(tasks);
      if (action === 'move' && commands) return move(commands);
      if (action !== 'read' && action !== 'cancel') return refused(USAGE);
      if (!tasks.get(id)) return refused(`There is no background task "${id}". ${USAGE}`);
      if (action === 'read') return read(tasks, id, Number(cursor));
      const cancelled = await tasks.cancel(id);
      const message = cancelled ? `${id} was stopped.` : `${id} had ended already.`;
      return { success: true, message, data: { cancelled } };
    },
  };
}

function read(tasks: BackgroundTasks, id: string, asked: number): CommandResult {
  const cursor = Number.isNaN(asked) ? LAST_LINES : asked;
  const page = tasks.readLog(id, cursor);
  const more = page?.hasMore ? `\nMore: /background read ${id} ${page.cursor}` : '';
  return { success: true, message: describePage(tasks, id, cursor) + more, data: { page } };
}

function move(commands: SessionCommands): CommandResult {
  const moved = commands.moveAll();
  if (moved.length === 0) return refused('No command is running that could be moved.');
  const ids = moved.map(({ id }) => id).join(', ');
  return { success: true, message: `Running in the background: ${ids}`, data: { moved } };
}

function list(tasks: BackgroundTasks): CommandResult {
  const all = tasks.list();
  const message = all.map(describeTask).join('\n') || 'There are no background tasks.';
  return { success: true, message, data: { tasks: all } };
}

function refused(message: string): CommandResult {
  return { success: false, message };
}
