import {
  BuiltinCommandSource,
  type Command,
  CommandRegistry,
  type SessionView,
} from '@robota-sdk/agent-sdk';
import { portCommandsOf } from '../terminal/port-commands.ts';
import { driven } from '../terminal/session-bridge.ts';
import type { CommandEntry } from '../terminal/state/screen-state.ts';

/** Commands of the session, its extensions and the terminal for the slash menu: only those available now. */
export function commandEntries(session: SessionView): CommandEntry[] {
  const live = driven(session);
  if (!live) return [toEntry(LEAVE)];
  const own = [CLEAR, ...(live.getCapabilities().fork ? [FORK] : []), LEAVE];
  const registry = new CommandRegistry();
  registry.addSource({ name: 'terminal', getCommands: () => own });
  const listed = live.listCommands();
  if (listed.length > 0) registry.addSource(new BuiltinCommandSource());
  for (const source of live.getCommandSources()) registry.addSource(source);
  const known = registry.getCommands().map(toEntry);
  const names = new Set(known.map(({ name }) => name));
  const others = (listed.length > 0 ? listed : portCommandsOf(live)).filter(
    ({ name }) => !names.has(name),
  );
  return [...known, ...others.map(toEntry)];
}

/** Commands of the terminal itself. */
const CLEAR: Command = {
  name: 'clear',
  description: 'Start a new session; this one can be resumed',
};
const FORK: Command = { name: 'fork', description: 'Continue in a copy of this session' };
const LEAVE: Command = { name: 'exit', description: 'Leave' };

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
