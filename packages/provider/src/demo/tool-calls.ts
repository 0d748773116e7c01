import type { ToolSchema } from '@robota-sdk/agent-core';
import type { Intent } from './intent.ts';
import type { DemoCall } from './reply.ts';

/** The calls an intent needs; `undefined` if it needs none. */
export function neededCalls(intent: Intent): readonly DemoCall[] | undefined {
  switch (intent.kind) {
    case 'list':
      return [call('Glob', { pattern: intent.pattern, path: intent.path })];
    case 'read':
      return intent.paths.map((filePath) => call('Read', { filePath }));
    case 'search':
      return [call('Grep', { pattern: intent.pattern, path: intent.path, outputMode: 'content' })];
    case 'run':
      return [call('Bash', { command: intent.command })];
    case 'write':
      return [call('Write', { filePath: intent.path, content: intent.content })];
    case 'edit':
      return [
        call('Edit', { filePath: intent.path, oldString: intent.from, newString: intent.to }),
      ];
    case 'delegate':
      return [call('Agent', { prompt: intent.task, description: intent.task })];
    default:
      return undefined;
  }
}

/** Keeps only the parameters of the offered tool, in its spelling. */
export function fitToSchema(wanted: DemoCall, schema: ToolSchema): DemoCall {
  const offered = Object.keys(schema.parameters.properties);
  const entries = Object.entries(wanted.args).flatMap(([name, value]) => {
    const spelling = [name, snakeCase(name)].find((candidate) => offered.includes(candidate));
    return spelling === undefined ? [] : [[spelling, value] as const];
  });
  return { name: schema.name, args: Object.fromEntries(entries) };
}

function call(name: string, args: Record<string, string | undefined>): DemoCall {
  const given = Object.entries(args).filter(([, value]) => value !== undefined);
  return { name, args: Object.fromEntries(given) };
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
