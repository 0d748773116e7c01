import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { listFiles } from './list-files.ts';
import type { PromptHistoryFile } from './prompt-history-file.ts';
import type { PickableSession } from './state/overlay.ts';
import type { ScreenAction, ScreenEffect } from './state/screen-action.ts';

/** What the runner may reach of the world. */
export interface EffectWorld {
  /** Undefined until the session stands, which is after the first paint. */
  session(): InteractiveSession | undefined;
  /** The session as soon as it stands; rejects when it cannot be opened. */
  whenOpen(): Promise<InteractiveSession>;
  readonly cwd: string;
  readonly history: PromptHistoryFile | undefined;
  dispatch(action: ScreenAction): void;
  answerTrust(trusted: boolean): void;
  /** Sessions in parts, as they are found. */
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  openSession(session: PickableSession, fork: boolean): Promise<void>;
  clearScreen(): void;
  resetSettings(): Promise<void>;
  leave(): void;
}

/** Carries out what the screen asks for. A failure becomes a notice; nothing escapes. */
export function createEffectRunner(world: EffectWorld): (effect: ScreenEffect) => void {
  return (effect) => {
    carryOut(world, effect).catch((error: unknown) => {
      world.dispatch({
        type: 'notice',
        message: `Error: ${error instanceof Error ? error.message : String(error)}`,
      });
    });
  };
}

async function carryOut(world: EffectWorld, effect: ScreenEffect): Promise<void> {
  switch (effect.type) {
    case 'submit':
      return submit(world, effect);
    case 'command':
      return runCommand(world, effect);
    case 'abort':
      world.session()?.abort();
      return;
    case 'cancel_queue':
      world.session()?.cancelQueue();
      world.dispatch({ type: 'queued', prompt: undefined });
      return;
    case 'answer_permission':
      world.session()?.answerPermission(effect.requestId, effect.answer);
      return;
    case 'answer_trust':
      world.answerTrust(effect.trusted);
      return;
    case 'set_mode':
      world.session()?.setPermissionMode(effect.mode);
      return;
    case 'open_session':
      return world.openSession(effect.session, effect.fork);
    case 'list_sessions':
      return listSessions(world);
    case 'list_files':
      world.dispatch({ type: 'files_listed', files: await listFiles(world.cwd) });
      return;
    case 'remember_prompt':
      return world.history?.add(effect.prompt);
    case 'clear_screen':
      world.clearScreen();
      return;
    case 'leave':
      world.leave();
  }
}

async function submit(
  world: EffectWorld,
  effect: Extract<ScreenEffect, { type: 'submit' }>,
): Promise<void> {
  const session = world.session() ?? (await world.whenOpen());
  if (session.isExecuting()) world.dispatch({ type: 'queued', prompt: effect.display });
  const outcome = await session.submit(effect.text, effect.display);
  world.dispatch({ type: 'queued', prompt: session.getPendingPrompt() ?? undefined });
  if (outcome.status === 'refused') world.dispatch({ type: 'notice', message: outcome.reason });
  await showCosts(world, session);
}

async function showCosts(world: EffectWorld, session: InteractiveSession): Promise<void> {
  const costs = await session.getCosts();
  const known = costs.filter(({ costUsd }) => costUsd !== null && costUsd !== undefined);
  if (known.length === 0) return;
  const costUsd = known.reduce((sum, cost) => sum + (cost.costUsd ?? 0), 0);
  world.dispatch({ type: 'status', facts: { costUsd } });
}

/** Commands the terminal itself answers. */
const OWN_COMMANDS: Readonly<Record<string, (world: EffectWorld) => void>> = {
  exit: (world) => world.leave(),
  quit: (world) => world.leave(),
};

async function runCommand(
  world: EffectWorld,
  { name, args }: Extract<ScreenEffect, { type: 'command' }>,
): Promise<void> {
  const own = OWN_COMMANDS[name];
  if (own) {
    own(world);
    return;
  }
  const session = world.session() ?? (await world.whenOpen());
  const result = await session.executeCommand(name, args);
  if (!result) {
    world.dispatch({ type: 'notice', message: `Unknown command "/${name}". /help lists them.` });
    return;
  }
  await applyCommandData(world, session, result.data ?? {});
  if (result.message !== '') world.dispatch({ type: 'notice', message: result.message });
}

/** What a command asks its caller to apply. */
async function applyCommandData(
  world: EffectWorld,
  session: InteractiveSession,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (typeof data.modelId === 'string') {
    session.setModel(data.modelId);
    world.dispatch({ type: 'status', facts: { model: data.modelId } });
  }
  if (typeof data.language === 'string') session.setLanguage(data.language);
  if (typeof data.name === 'string') {
    session.setName(data.name);
    world.dispatch({ type: 'status', facts: { sessionName: data.name } });
  }
  if (data.triggerResumePicker === true) world.dispatch({ type: 'picker_opened' });
  if (data.resetRequested === true) {
    await world.resetSettings();
    world.leave();
  }
  world.dispatch({ type: 'status', facts: { mode: session.getPermissionMode() } });
}

async function listSessions(world: EffectWorld): Promise<void> {
  for await (const sessions of world.listSessions()) {
    world.dispatch({ type: 'sessions_listed', sessions, isLast: false });
  }
  world.dispatch({ type: 'sessions_listed', sessions: [], isLast: true });
}
