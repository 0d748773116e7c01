import type { LiveSession } from '@robota-sdk/agent-sdk';
import { agentTitle } from '../arguments/read-agent.ts';

/** Result of a command that the terminal runs itself. */
export interface PortCommandResult {
  readonly message: string;
  readonly success: boolean;
  /** Opens the session picker. */
  readonly picksSession?: boolean;
}

interface PortCommand {
  readonly name: string;
  readonly description: string;
  readonly argumentHint?: string;
  /** Whether the session has the capabilities that the command needs. */
  isOffered(session: LiveSession): boolean;
  run(session: LiveSession, args: string): Promise<PortCommandResult>;
}

const PORT_COMMANDS: readonly PortCommand[] = [
  {
    name: 'model',
    description: 'Change the model',
    argumentHint: '<model>',
    isOffered: (session) => session.getCapabilities().setModel,
    async run(session, model) {
      if (model === '') return done(`The model is ${session.getModel() ?? 'not known'}.`);
      await session.change({ model });
      return done(`The model is now ${model}.`);
    },
  },
  {
    name: 'mode',
    description: 'Show or change the permission mode',
    argumentHint: '<mode>',
    isOffered: (session) => session.getCapabilities().permissionModes.length > 0,
    async run(session, args) {
      const { permissionModes } = session.getCapabilities();
      if (args === '') return done(`The mode is ${session.getPermissionMode() ?? 'not known'}.`);
      const permissionMode = permissionModes.find((mode) => mode === args);
      if (permissionMode === undefined) {
        const valid = permissionModes.join(' | ');
        const title = agentTitle(session.agent);
        return failed(valid ? `Invalid mode. Valid: ${valid}` : `${title} keeps its mode.`);
      }
      await session.change({ permissionMode });
      return done(`The mode is now ${permissionMode}.`);
    },
  },
  {
    name: 'compact',
    description: 'Replace the conversation with a summary',
    argumentHint: '[what matters]',
    isOffered: (session) => session.getCapabilities().compact,
    async run(session, instructions) {
      await session.compact(instructions || undefined);
      return done('The conversation was compacted.');
    },
  },
  {
    name: 'rename',
    description: 'Rename the session',
    argumentHint: '<name>',
    isOffered: (session) => session.getCapabilities().rename,
    async run(session, name) {
      if (name === '') return failed('Usage: /rename <name>');
      await session.change({ name });
      return done(`The session is called "${name}".`);
    },
  },
  {
    name: 'context',
    description: 'Show how full the context is',
    isOffered: () => true,
    async run(session) {
      const { usedTokens, maxTokens, usedPercentage } = session.getContextState();
      const grouped = (count: number) => count.toLocaleString('en-US');
      const share = Math.round(usedPercentage);
      return done(`Context: ${grouped(usedTokens)} / ${grouped(maxTokens)} tokens (${share}%)`);
    },
  },
  {
    name: 'cost',
    description: 'Show tokens and cost',
    isOffered: () => true,
    async run(session) {
      const lines = (await session.getCosts()).map(({ model, usage, costUsd }) => {
        const price = costUsd === null ? 'price unknown' : `$${costUsd.toFixed(4)}`;
        return `${model}: ${usage.inputTokens} in, ${usage.outputTokens} out, ${price}`;
      });
      return done([`Session: ${session.sessionId}`, ...lines].join('\n'));
    },
  },
  {
    name: 'resume',
    description: 'Open another session',
    isOffered: () => true,
    run: async () => ({ message: '', success: true, picksSession: true }),
  },
  {
    name: 'help',
    description: 'List the commands',
    isOffered: () => true,
    run: async (session) =>
      done(
        portCommandsOf(session)
          .map(({ name, description }) => `  ${name} - ${description}`)
          .join('\n'),
      ),
  },
];

/** Commands the terminal implements on top of the session port, for agents without commands of their own. */
export function portCommandsOf(
  session: LiveSession,
): readonly Pick<PortCommand, 'name' | 'description' | 'argumentHint'>[] {
  return PORT_COMMANDS.filter((command) => command.isOffered(session));
}

/** Undefined for an unknown command; fails with a message when the agent lacks the capability. */
export async function runPortCommand(
  session: LiveSession,
  name: string,
  args: string,
): Promise<PortCommandResult | undefined> {
  const command = PORT_COMMANDS.find((one) => one.name === name);
  if (!command) return undefined;
  try {
    return await command.run(session, args.trim());
  } catch (error) {
    return failed(error instanceof Error ? error.message : String(error));
  }
}

function done(message: string): PortCommandResult {
  return { message, success: true };
}

function failed(message: string): PortCommandResult {
  return { message, success: false };
}
