import { commandSandbox } from '../assembly/sandbox-environment.ts';
import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import { backgroundCommand } from './background-command.ts';
import type { BackgroundTask, BackgroundTaskEvent } from './background-task.ts';
import { BackgroundTasks } from './background-tasks.ts';
import { createBackgroundTools, describeTask } from './background-tools.ts';

/** Adds background tasks; the next prompt tells the model which ones have ended. */
export function backgroundExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'background tasks', extend: (context) => extend(shared, context) };
}

function extend(shared: SharedExtensions, context: ExtensionContext): Contribution {
  const ended: BackgroundTask[] = [];
  const tasks = new BackgroundTasks({
    restored: listIn<BackgroundTask>(context.record.get('backgroundTasks')),
    events: listIn<BackgroundTaskEvent>(context.record.get('backgroundTaskEvents')),
    onChange(state) {
      context.record.set('backgroundTasks', state.tasks);
      context.record.set('backgroundTaskEvents', state.events);
      context.record.save();
      context.options.onBackgroundTasks?.(state.tasks);
    },
    onEnd(task) {
      ended.push(task);
      context.notice(`Background task ${describeTask(task)}`, 'background');
    },
  });
  shared.background = tasks;
  const { cwd, options, config } = context;
  const sandbox = commandSandbox(options, config);
  return {
    // Part of the built-in tools.
    ...(options.builtinTools !== false && {
      tools: createBackgroundTools({ tasks, sandbox, cwd }),
      // Reading and stopping are harmless; starting a process is judged like a Bash call.
      permissions: { allow: ['BackgroundList', 'BackgroundOutput', 'BackgroundCancel'] },
    }),
    commands: [backgroundCommand(tasks, shared.commands)],
    preparePrompt: (prompt) => ({
      ...prompt,
      input: withEndedTasks(prompt.input, ended.splice(0)),
    }),
    dispose: () => tasks.close(),
  };
}

/** Prepends the tasks that ended since the last prompt, marked as not written by the user. */
function withEndedTasks(input: string, ended: readonly BackgroundTask[]): string {
  if (ended.length === 0) return input;
  const lines = ended.map((task) =>
    task.result === undefined ? describeTask(task) : `${describeTask(task)}\n${task.result}`,
  );
  const news = ['Background tasks that ended since the last message:', ...lines].join('\n');
  return `<system-reminder>\n${news}\n</system-reminder>\n${input}`;
}

function listIn<Item>(field: unknown): readonly Item[] {
  return Array.isArray(field) ? (field as Item[]) : [];
}
