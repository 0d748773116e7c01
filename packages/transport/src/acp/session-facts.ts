import {
  type AvailableCommand,
  RequestError,
  type SessionConfigOption,
  type SessionModeState,
  type SetSessionConfigOptionRequest,
} from '@agentclientprotocol/sdk';
import type { LiveSession, SessionChanges } from '@robota-sdk/agent-sdk';

/** What an editor can switch in a session, in the current and the older form of the protocol. */
export interface SwitchableFacts {
  readonly modes?: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

type Mode = NonNullable<SessionChanges['permissionMode']>;

export function switchable(session: LiveSession, models: readonly string[]): SwitchableFacts {
  const modes = modesOf(session);
  const options = [modes && modeOption(modes), modelOption(session, models)];
  return {
    ...(modes && { modes }),
    configOptions: options.filter((option) => option !== undefined),
  };
}

/** Throws for a mode that the session does not have. */
export async function switchMode(session: LiveSession, modeId: string): Promise<void> {
  const mode = session.getCapabilities().permissionModes.find((each) => each === modeId);
  if (mode === undefined) throw RequestError.invalidParams({ modeId }, `no mode "${modeId}"`);
  await session.change({ permissionMode: mode });
}

export async function switchOption(
  session: LiveSession,
  request: SetSessionConfigOptionRequest,
): Promise<void> {
  const { configId, value } = request;
  if (typeof value !== 'string') throw RequestError.invalidParams({ value }, 'a choice is needed');
  if (configId === MODE) return switchMode(session, value);
  if (configId === MODEL && session.getCapabilities().setModel) {
    return session.change({ model: value });
  }
  throw RequestError.invalidParams({ configId }, `no option "${configId}"`);
}

/** Commands and skills under the names people type after a slash. */
export function availableCommands(session: LiveSession): AvailableCommand[] {
  const sources = session.getCommandSources().flatMap((source) => source.getCommands());
  const hints = new Map(sources.map(({ name, argumentHint }) => [name, argumentHint]));
  const all = [...session.listCommands(), ...sources];
  return [...new Map(all.map((command) => [command.name, command])).values()].map(
    ({ name, description }) => {
      const hint = hints.get(name);
      return { name, description, ...(hint !== undefined && { input: { hint } }) };
    },
  );
}

function modesOf(session: LiveSession): SessionModeState | undefined {
  const modes = session.getCapabilities().permissionModes;
  const current = session.getPermissionMode();
  if (modes.length === 0 || current === undefined) return undefined;
  return {
    currentModeId: current,
    availableModes: modes.map((id) => ({ id, ...MODE_WORDS[id] })),
  };
}

function modeOption({ currentModeId, availableModes }: SessionModeState): SessionConfigOption {
  const options = availableModes.map(({ id, ...text }) => ({ value: id, ...text }));
  const about = { id: MODE, name: 'Mode', category: 'mode', type: 'select' } as const;
  return { ...about, currentValue: currentModeId, options };
}

function modelOption(
  session: LiveSession,
  models: readonly string[],
): SessionConfigOption | undefined {
  const current = session.getModel();
  if (!session.getCapabilities().setModel || current === undefined) return undefined;
  const options = [...new Set([current, ...models])].map((value) => ({ value, name: value }));
  const about = { id: MODEL, name: 'Model', category: 'model', type: 'select' } as const;
  return { ...about, currentValue: current, options };
}

const MODE = 'mode';
const MODEL = 'model';
const MODE_WORDS: Readonly<Record<Mode, { name: string; description: string }>> = {
  plan: { name: 'Plan', description: 'Looks and plans; changes nothing' },
  default: { name: 'Ask', description: 'Asks before anything is changed' },
  acceptEdits: { name: 'Accept edits', description: 'Changes files without asking' },
  bypassPermissions: { name: 'Bypass', description: 'Never asks' },
};
