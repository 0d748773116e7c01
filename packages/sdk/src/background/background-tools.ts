import type { Tool, ToolSandbox } from '@robota-sdk/agent-core';
import { markOwnWords } from '@robota-sdk/agent-core/log';
import { createSchemaTool } from '@robota-sdk/agent-tools';
import type { BackgroundTask } from './background-task.ts';
import type { BackgroundTasks } from './background-tasks.ts';
import { processWork } from './process-work.ts';

export interface BackgroundToolsParts {
  readonly tasks: BackgroundTasks;
  readonly sandbox: ToolSandbox;
  readonly cwd: string;
}

/** The tool that starts a command without waiting for it. */
export const BACKGROUND_PROCESS = 'BackgroundProcess';

/** The tools to start, read and stop background tasks. */
export function createBackgroundTools(parts: BackgroundToolsParts): Tool[] {
  const tools = backgroundTools(parts);
  for (const { schema } of tools) markOwnWords(schema);
  return tools;
}

function backgroundTools({ tasks, sandbox, cwd }: BackgroundToolsParts): Tool[] {
  return [
    createSchemaTool({
      name: BACKGROUND_PROCESS,
      description:
        'Starts a shell command that keeps running while the conversation goes on, such as a server or a long build, and returns its task id. You are told when it ends.',
      parameters: {
        type: 'object',
        properties: {
          command: { type: 'string', minLength: 1, description: 'The shell command' },
          label: { description: 'A few words that name it', type: 'string' },
        },
        required: ['command'],
      },
      run: ({ command, label }) => {
        const given = {
          kind: 'process',
          label: label ?? command.slice(0, 60),
          input: command,
        } as const;
        return describeTask(tasks.spawn(given, processWork(command, { sandbox, cwd })));
      },
    }),
    createSchemaTool({
      name: 'BackgroundList',
      description: 'Lists the background tasks of this session with their state.',
      parameters: { type: 'object', properties: {} },
      run: () => tasks.list().map(describeTask).join('\n') || 'There are no background tasks.',
    }),
    createSchemaTool({
      name: 'BackgroundOutput',
      description:
        'Reads what a background task wrote, up to 200 lines from a cursor, and returns the cursor for the next read.',
      parameters: {
        type: 'object',
        properties: {
          taskId: { type: 'string', description: 'The id that the start returned' },
          cursor: {
            description: 'Where the last read ended',
            type: 'integer',
            minimum: 0,
            maximum: Number.MAX_SAFE_INTEGER,
          },
        },
        required: ['taskId'],
      },
      run: ({ taskId, cursor }) => describeOutput(tasks, taskId, cursor),
    }),
    createSchemaTool({
      name: 'BackgroundCancel',
      description: 'Stops a background task.',
      parameters: {
        type: 'object',
        properties: { taskId: { type: 'string', description: 'The id that the start returned' } },
        required: ['taskId'],
      },
      run: async ({ taskId }) => {
        const task = known(tasks, taskId);
        const wasOpen = await tasks.cancel(taskId);
        return wasOpen ? `${taskId} was stopped.` : `${taskId} had ended already: ${task.status}.`;
      },
    }),
  ];
}

/** One line about a task. */
export function describeTask({ id, kind, label, status, exitCode, error }: BackgroundTask): string {
  const code = exitCode === undefined || exitCode === null ? '' : `, exit code ${exitCode}`;
  return `${id} (${kind}, ${status}${code}): ${label}${error ? ` - ${error}` : ''}`;
}

/** A page of a task's output, with its state and the next cursor. */
function describeOutput(tasks: BackgroundTasks, id: string, cursor?: number): string {
  const page = tasks.readLog(id, cursor);
  const more = page?.hasMore ? ', more is there' : '';
  return `${describePage(tasks, id, cursor)}\n[cursor ${page?.cursor ?? 0}${more}]`;
}

/** A page of a task's output as text for users. */
export function describePage(tasks: BackgroundTasks, id: string, cursor?: number): string {
  const task = known(tasks, id);
  const page = tasks.readLog(id, cursor);
  const dropped = page?.dropped ? [`[${page.dropped} earlier lines are no longer kept]`] : [];
  return [
    describeTask(task),
    ...dropped,
    ...(page?.lines ?? []),
    ...(task.result === undefined ? [] : ['Result:', task.result]),
  ].join('\n');
}

function known(tasks: BackgroundTasks, id: string): BackgroundTask {
  const task = tasks.get(id);
  if (task) return task;
  const ids = tasks.list().map((each) => each.id);
  throw new Error(`There is no background task ${id}; known are ${ids.join(', ') || 'none'}.`);
}
