import type { McpPrompt, McpTools } from '@robota-sdk/agent-tools';
import type { ExtensionContext } from '../assembly/session-extension.ts';
import type { Command, CommandSource } from '../commands/command.ts';
import { promptResult } from '../commands/prompt-result.ts';
import type { SystemCommand } from '../commands/system-command.ts';

/** A prompt with the server that offers it. */
export interface OfferedPrompt {
  readonly prompt: McpPrompt;
  readonly server: McpTools;
}

/** The prompts of all servers; a server that fails is reported and skipped. */
export async function findPrompts(
  servers: readonly McpTools[],
  notice: (message: string) => void,
): Promise<OfferedPrompt[]> {
  const lists = servers.map(async (server) => {
    try {
      return (await server.listPrompts()).map((prompt) => ({ prompt, server }));
    } catch (error) {
      notice(`The prompts of MCP server "${server.serverName}": ${(error as Error).message}`);
      return [];
    }
  });
  return (await Promise.all(lists)).flat();
}

export function promptSource(offered: readonly OfferedPrompt[]): CommandSource {
  const commands = offered.map(({ prompt }): Command => {
    const hint = prompt.arguments.map(({ name, required }) =>
      required ? `<${name}>` : `[${name}]`,
    );
    return {
      name: commandName(prompt),
      description: prompt.description,
      source: 'mcp',
      ...(hint.length > 0 && { argumentHint: hint.join(' ') }),
    };
  });
  return { name: 'mcp', getCommands: () => commands };
}

/** A server's prompt as a command: its text is submitted as if it had been typed. */
export function promptCommand(
  { prompt, server }: OfferedPrompt,
  context: ExtensionContext,
): SystemCommand {
  const name = commandName(prompt);
  return {
    name,
    description: prompt.description,
    async execute(_session, args) {
      const given = namedArguments(prompt, args);
      const missing = prompt.arguments.filter(
        (each) => each.required && !Object.hasOwn(given, each.name),
      );
      if (missing.length > 0) {
        const names = missing.map((each) => each.name).join(', ');
        return { success: false, message: `${name} needs ${names}.` };
      }
      const input = await server.getPrompt(prompt.name, given);
      const displayInput = `/${name}${args === '' ? '' : ` ${args}`}`;
      const outcome = await context.submit({ input, displayInput, rawInput: displayInput });
      return promptResult(outcome);
    },
  };
}

function commandName({ server, name }: McpPrompt): string {
  return `mcp__${server}__${name}`.replaceAll(/\s+/g, '_');
}

/** Assigns words to arguments in order; the last one takes the rest. */
function namedArguments(prompt: McpPrompt, args: string): Record<string, string> {
  const words = [...args.matchAll(/"([^"]*)"|(\S+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );
  const names = prompt.arguments.map(({ name }) => name);
  const last = names.length - 1;
  return Object.fromEntries(
    names.flatMap((name, index) => {
      const value = index === last ? words.slice(index).join(' ') : words[index];
      return value ? [[name, value]] : [];
    }),
  );
}
