import {
  BuiltinCommandSource,
  type Command,
  CommandRegistry,
  type InteractiveSession,
} from '@robota-sdk/agent-sdk';
import type { ScreenAction } from './state/screen-action.ts';
import type { CommandEntry } from './state/screen-state.ts';

/** Tells the screen what happens in a session. Returns how to stop listening. */
export function bridgeSession(
  session: InteractiveSession,
  dispatch: (action: ScreenAction) => void,
): () => void {
  const listeners = {
    stream_event: (event: Parameters<typeof streamAction>[0]) => dispatch(streamAction(event)),
    thinking: (isBusy: boolean) => dispatch({ type: 'busy', isBusy }),
    permission_request: (request: Parameters<typeof askAction>[0]) => dispatch(askAction(request)),
    permission_resolved: ({ requestId }: { readonly requestId: string }) =>
      dispatch({ type: 'permission_resolved', requestId }),
    context_update: ({ usedPercentage }: { readonly usedPercentage: number }) =>
      dispatch({ type: 'status', facts: { contextPercentage: usedPercentage } }),
    notice: ({ kind, message }: { readonly kind: string; readonly message: string }) => {
      if (kind === 'not_saved') dispatch({ type: 'status', facts: { isSaved: false } });
      dispatch({ type: 'notice', message });
    },
    error: (error: Error) => dispatch({ type: 'notice', message: `Error: ${error.message}` }),
  };
  for (const [name, listener] of entries(listeners)) session.on(name, listener as never);
  return () => {
    for (const [name, listener] of entries(listeners)) session.off(name, listener as never);
  };
}

/** Commands of the session and of its extensions, for the slash menu. */
export function commandEntries(session: InteractiveSession): CommandEntry[] {
  const registry = new CommandRegistry();
  registry.addSource(new BuiltinCommandSource());
  for (const source of session.getCommandSources()) registry.addSource(source);
  const entries = registry.getCommands().map(toEntry);
  const known = new Set(entries.map(({ name }) => name));
  const others = session.listCommands().filter(({ name }) => !known.has(name));
  return [...entries, ...others.map(toEntry)];
}

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

function streamAction(event: Extract<ScreenAction, { type: 'stream' }>['event']): ScreenAction {
  return { type: 'stream', event };
}

function askAction(
  request: Extract<ScreenAction, { type: 'permission_asked' }>['request'],
): ScreenAction {
  return { type: 'permission_asked', request };
}

function entries<Table extends object>(table: Table): [keyof Table, Table[keyof Table]][] {
  return Object.entries(table) as [keyof Table, Table[keyof Table]][];
}
