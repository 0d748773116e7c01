import type { Tool } from '@robota-sdk/agent-core';
import { markOwnWords } from '@robota-sdk/agent-core/log';
import type {
  Contribution,
  ExtensionContext,
  SessionExtension,
} from '../assembly/session-extension.ts';
import type { SharedExtensions } from '../assembly/shared-extensions.ts';
import type { Command, CommandSource } from '../commands/command.ts';
import { promptResult } from '../commands/prompt-result.ts';
import type { SystemCommand } from '../commands/system-command.ts';
import { ASK_USER, createAskUserTool } from './ask-user-tool.ts';
import { agentsCommand, hooksCommand } from './listing-commands.ts';
import { Memory } from './memory-command.ts';
import { MEMORY_SCOPES } from './memory-files.ts';
import { modelCommand } from './model-command.ts';
import { permissionsCommand } from './permissions-command.ts';
import { createPlanTool, EXIT_PLAN_MODE, withPlanReminder } from './plan-tool.ts';
import { promptCommands } from './prompt-commands.ts';
import { createTodoTool } from './todo-tool.ts';

/** Adds the everyday tools and commands to a session, on every surface. */
export function everydayExtension(shared: SharedExtensions): SessionExtension {
  return { name: 'everyday tools', extend: (context) => extend(shared, context) };
}

function extend(shared: SharedExtensions, context: ExtensionContext): Contribution {
  const memory = new Memory(context.cwd);
  const engine = () => context.ready().session;
  const tools = [
    createTodoTool(),
    createAskUserTool(context.ask),
    createPlanTool({
      ask: context.ask,
      getMode: () => engine().getPermissionMode(),
      setMode: (mode) => engine().setPermissionMode(mode),
    }),
  ];
  return {
    // With tools given in code, none are added here.
    ...(context.options.tools === undefined && {
      tools: tools.map(inOwnWords),
      // They only change what the user sees, or ask the user themselves.
      permissions: { allow: ['TodoWrite', ASK_USER, EXIT_PLAN_MODE] },
    }),
    replacedCommands: [modelCommand(context.provider), permissionsCommand(context)],
    commands: [
      shellCommand,
      memory.command(),
      ...promptCommands(context),
      agentsCommand(() => shared.agents),
      hooksCommand(() => context.ready().hooks),
    ],
    commandSources: [PALETTE],
    preparePrompt: (prompt) =>
      withPlanReminder(memory.prepare(prompt), engine().getPermissionMode()),
  };
}

function inOwnWords(tool: Tool): Tool {
  markOwnWords(tool.schema);
  return tool;
}

/** Equals `!`, for surfaces that only have commands. */
const shellCommand: SystemCommand = {
  name: 'shell',
  description: 'Run a shell command yourself; it becomes part of the conversation',
  async execute(session, args) {
    if (args === '') return { success: false, message: 'Usage: shell <command>' };
    return promptResult(await session.runShell(args));
  },
};

const SCOPES = {
  project: 'for everybody in this project',
  local: 'for you in this project',
  user: 'for you in every project',
} as const;

const PALETTE: CommandSource = { name: 'everyday', getCommands: () => COMMANDS };

const COMMANDS: readonly Command[] = [
  entry('init', 'Write AGENTS.md: what an agent should know of this project', '[what matters]'),
  entry('review', 'Review the changes of this directory, or what you name', '[what]'),
  entry('memory', 'Show the memory files, or add a note to one', '[add <file> <note>]', [
    ...MEMORY_SCOPES.map((scope) => [`add ${scope}`, `Add a note: ${SCOPES[scope]}`] as const),
  ]),
  entry('shell', 'Run a shell command yourself', '<command>'),
  entry('background', 'List, read or cancel background tasks', '[list|read|cancel|move]', [
    ['list', 'What runs and what has ended'],
    ['read', 'What a task wrote'],
    ['cancel', 'Stop a task'],
    ['move', 'Move the running command to the background'],
  ]),
  entry('agents', 'Show the agents that can be started'),
  entry('mcp', 'Show, reconnect, add or remove MCP servers', '[list|reconnect|add|remove]', [
    ['list', 'How the servers are'],
    ['reconnect', 'Connect to a server anew'],
    ['add', 'Add a server: name, then a command or an address'],
    ['remove', 'Remove a server'],
  ]),
  entry('hooks', 'Show the hooks that run'),
];

function entry(
  name: string,
  description: string,
  argumentHint?: string,
  subcommands: readonly (readonly [string, string])[] = [],
): Command {
  const source = 'everyday';
  return {
    name,
    description,
    source,
    ...(argumentHint !== undefined && { argumentHint }),
    ...(subcommands.length > 0 && {
      subcommands: subcommands.map(([word, meaning]) => ({
        name: word,
        description: meaning,
        source,
      })),
    }),
  };
}
