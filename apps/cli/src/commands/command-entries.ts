import {
  BuiltinCommandSource,
  type Command,
  CommandRegistry,
  type InteractiveSession,
} from '@robota-sdk/agent-sdk';
import type { CommandEntry } from '../terminal/state/screen-state.ts';

/** Commands of the session, of its extensions and of the terminal, for the slash menu. */
export function commandEntries(session: InteractiveSession): CommandEntry[] {
  const registry = new CommandRegistry();
  registry.addSource({ name: 'terminal', getCommands: () => OWN_COMMANDS });
  registry.addSource(new BuiltinCommandSource());
  for (const source of session.getCommandSources()) registry.addSource(source);
  const known = registry.getCommands().map(toEntry);
  const names = new Set(known.map(({ name }) => name));
  const others = session.listCommands().filter(({ name }) => !names.has(name));
  return [...known, ...others.map(toEntry)];
}

/** What the terminal does itself. */
const OWN_COMMANDS: readonly Command[] = [
  { name: 'clear', description: 'Begin a new session; this one stays and can be resumed' },
  { name: 'exit', description: 'Leave' },
];

function toEntry({ name, description, argumentHint, subcommands = [] }: Command): CommandEntry {
  return {
    name,
    description,
    argumentHint,
    subcommands: subcommands.map((subcommand) => ({
      name: subcommand.name,
      description: subcommand.description,
    })),
  };
}
