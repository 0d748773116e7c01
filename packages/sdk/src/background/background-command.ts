import type { CommandResult, SystemCommand } from '../commands/system-command.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import { describeOutput, describeTask } from './background-tools.ts';

const USAGE = 'Usage: background [list | read <id> [cursor] | cancel <id>]';

/** Background work for people: what runs, what it wrote, and how to stop it. */
export function backgroundCommand(tasks: BackgroundTasks): SystemCommand {
  return {
    name: 'background',
    description: 'List, read or cancel background tasks',
    async execute(_session, args) {
      const [action = 'list', id = '', cursor] = args.split(/\s+/).filter(Boolean);
      if (action === 'list') return list(tasks);
      if (action !== 'read' && action !== 'cancel') return refused(USAGE);
      if (!tasks.get(id)) return refused(`There is no background task "${id}". ${USAGE}`);
      if (action === 'read') {
        const page = tasks.readLog(id, Number(cursor) || 0);
        return {
          success: true,
          message: describeOutput(tasks, id, Number(cursor) || 0),
          data: { page },
        };
      }
      const cancelled = await tasks.cancel(id);
      const message = cancelled ? `${id} was stopped.` : `${id} had ended already.`;
      return { success: true, message, data: { cancelled } };
    },
  };
}

function list(tasks: BackgroundTasks): CommandResult {
  const all = tasks.list();
  const message = all.map(describeTask).join('\n') || 'There are no background tasks.';
  return { success: true, message, data: { tasks: all } };
}

function refused(message: string): CommandResult {
  return { success: false, message };
}
