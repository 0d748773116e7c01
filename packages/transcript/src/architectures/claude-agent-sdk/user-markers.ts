import type { TaskReport } from './claude-record.ts';

/** Text the program itself puts into user messages, so that it is not shown as the user's own. */
export type UserMarker =
  | { readonly kind: 'hidden' }
  | {
      readonly kind: 'status';
      readonly message: string;
      readonly metadata: Readonly<Record<string, unknown>>;
    }
  | { readonly kind: 'task_report'; readonly report: TaskReport };

export function readUserMarker(text: string): UserMarker | undefined {
  const first = text.trimStart();
  if (first.startsWith('[Request interrupted by user')) return interruption(first.trimEnd());
  if (!first.startsWith('<')) return undefined;
  const opening = /^<([a-z-]+)>/.exec(first)?.[1];
  return opening === undefined ? undefined : READERS.get(opening)?.(first);
}

const READERS: ReadonlyMap<string, (text: string) => UserMarker | undefined> = new Map(
  Object.entries({
    'command-name': command,
    'command-message': command,
    'local-command-stdout': (text: string) => commandOutput(text, 'stdout'),
    'local-command-stderr': (text: string) => commandOutput(text, 'stderr'),
    'local-command-caveat': hiddenIfClosed('local-command-caveat'),
    'system-reminder': hiddenIfClosed('system-reminder'),
    'bash-input': shellInput,
    'bash-stdout': shellOutput,
    'bash-stderr': shellOutput,
    'task-notification': taskNotification,
  }),
);

function interruption(text: string): UserMarker | undefined {
  if (!/^\[Request interrupted by user( for tool use)?\]$/.test(text)) return undefined;
  return { kind: 'status', message: text.slice(1, -1), metadata: { interrupted: true } };
}

function command(text: string): UserMarker | undefined {
  const name = tagged(text, 'command-name');
  if (name === undefined) return undefined;
  const args = tagged(text, 'command-args') ?? '';
  const message = args === '' ? name : `${name} ${args}`;
  return { kind: 'status', message, metadata: { command: { name, args } } };
}

function commandOutput(text: string, stream: 'stdout' | 'stderr'): UserMarker | undefined {
  const output = tagged(text, `local-command-${stream}`);
  if (output === undefined) return undefined;
  return { kind: 'status', message: output, metadata: { commandOutput: stream } };
}

function shellInput(text: string): UserMarker | undefined {
  const input = tagged(text, 'bash-input');
  if (input === undefined) return undefined;
  return { kind: 'status', message: `! ${input}`, metadata: { shellInput: input } };
}

function shellOutput(text: string): UserMarker | undefined {
  const stdout = tagged(text, 'bash-stdout') ?? '';
  const stderr = tagged(text, 'bash-stderr') ?? '';
  const message = [stdout, stderr].filter((part) => part !== '').join('\n');
  return { kind: 'status', message, metadata: { shellOutput: { stdout, stderr } } };
}

function taskNotification(text: string): UserMarker | undefined {
  const taskId = tagged(text, 'task-id');
  if (taskId === undefined || taskId === '') return undefined;
  const toolUseId = tagged(text, 'tool-use-id');
  const result = tagged(text, 'result');
  const report: TaskReport = {
    taskId,
    ...(toolUseId === undefined ? {} : { toolUseId }),
    status: tagged(text, 'status') ?? 'completed',
    summary: tagged(text, 'summary') ?? `Task ${taskId} ended`,
    ...(result === undefined ? {} : { result }),
  };
  return { kind: 'task_report', report };
}

function hiddenIfClosed(tag: string): (text: string) => UserMarker | undefined {
  return (text) => (text.trimEnd().endsWith(`</${tag}>`) ? { kind: 'hidden' } : undefined);
}

/** The trimmed text between `<tag>` and its closing tag. */
function tagged(text: string, tag: string): string | undefined {
  const start = text.indexOf(`<${tag}>`);
  if (start === -1) return undefined;
  const from = start + tag.length + 2;
  const end = text.indexOf(`</${tag}>`, from);
  return end === -1 ? undefined : text.slice(from, end).trim();
}
