import { applyCommandResult, type InteractiveSession } from '@robota-sdk/agent-sdk';
import { isAbort } from '../report-error.ts';
import { listFiles } from './list-files.ts';
import type { PromptHistoryFile } from './prompt-history-file.ts';
import type { PickableSession } from './state/overlay.ts';
import type { ScreenAction, ScreenEffect, TaskEnd } from './state/screen-action.ts';
import type { Task } from './state/work.ts';
import { taskEndOf } from './task-outcome.ts';

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
  /** Resolves when what is on the screen now has been drawn, and keys sent before have arrived. */
  whenDrawn(): Promise<void>;
  /** Sessions in parts, as they are found. */
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  openSession(session: PickableSession, fork: boolean): Promise<void>;
  /** Begins a new session in the place of this one. */
  beginAnew(): Promise<void>;
  renameSession(session: PickableSession, name: string): Promise<void>;
  scrollAway(): void;
  resetSettings(): Promise<void>;
  leave(): void;
}

/** How long a question stays closed to keys after it was drawn: nobody reads and decides faster. */
const READING_MS = 500;

/** Carries out what the screen asks for. A failure becomes a note; nothing escapes. */
export function createEffectRunner(world: EffectWorld): (effect: ScreenEffect) => void {
  return (effect) => {
    carryOut(world, effect).catch((error: unknown) => noteError(world, error));
  };
}

function noteError(world: EffectWorld, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  world.dispatch({ type: 'note', text, tone: 'error' });
}

async function carryOut(world: EffectWorld, effect: ScreenEffect): Promise<void> {
  switch (effect.type) {
    case 'run_task':
      return runTask(world, effect.task);
    case 'command':
      return runCommand(world, effect);
    case 'abort':
      abort(world);
      return;
    case 'answer_permission':
      world.session()?.answerPermission(effect.requestId, effect.answer);
      return;
    case 'answer_trust':
      world.answerTrust(effect.trusted);
      return;
    case 'await_drawn':
      return awaitDrawn(world, effect.id);
    case 'set_mode':
      world.session()?.setPermissionMode(effect.mode);
      return;
    case 'open_session':
      return world.openSession(effect.session, effect.fork);
    case 'rename_session':
      return world.renameSession(effect.session, effect.name);
    case 'list_sessions':
      return listSessions(world);
    case 'list_files':
      world.dispatch({ type: 'files_listed', files: await listFiles(world.cwd) });
      return;
    case 'remember_prompt':
      return world.history?.add(effect.prompt);
    case 'scroll_away':
      world.scrollAway();
      return;
    case 'leave':
      world.leave();
  }
}

async function awaitDrawn(world: EffectWorld, id: string): Promise<void> {
  await world.whenDrawn();
  if (id === 'picker') {
    world.dispatch({ type: 'picker_drawn' });
    return;
  }
  setTimeout(() => world.dispatch({ type: 'question_settled', id }), READING_MS);
}

/** A compaction is no turn, so the session underneath is told. */
function abort(world: EffectWorld): void {
  const session = world.session();
  if (!session) return;
  const isTurn = session.isExecuting();
  session.abort();
  if (!isTurn) session.getSession().abort();
}

/** Runs to its end, whatever happens, so that what waits behind it gets its turn. */
async function runTask(world: EffectWorld, task: Task): Promise<void> {
  let end: TaskEnd = { isReturned: true };
  try {
    const session = world.session() ?? (await world.whenOpen());
    end = {};
    if (task.kind === 'prompt') end = await runPrompt(session, task);
    else await runCommand(world, task);
    end = { ...end, costUsd: await costOf(world.session() ?? session) };
  } catch (error) {
    if (isAbort(error)) world.dispatch({ type: 'note', text: 'Stopped.', tone: 'plain' });
    else noteError(world, error);
  } finally {
    world.dispatch({ type: 'task_ended', end, at: Date.now() });
  }
}

async function runPrompt(
  session: InteractiveSession,
  { text, display }: Extract<Task, { kind: 'prompt' }>,
): Promise<TaskEnd> {
  return taskEndOf(await session.submit(text, display), session);
}

/** Undefined where no price is known. */
async function costOf(session: InteractiveSession): Promise<number | undefined> {
  const known = (await session.getCosts()).flatMap(({ costUsd }) => costUsd ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, cost) => sum + cost, 0);
}

interface GivenCommand {
  readonly name: string;
  readonly args: string;
  readonly display: string;
}

/** Commands the terminal itself answers. */
const OWN_COMMANDS: Readonly<Record<string, (world: EffectWorld) => Promise<void> | void>> = {
  exit: (world) => world.leave(),
  quit: (world) => world.leave(),
  clear: (world) => world.beginAnew(),
};

async function runCommand(
  world: EffectWorld,
  { name, args, display: command }: GivenCommand,
): Promise<void> {
  const own = OWN_COMMANDS[name];
  if (own) return own(world);
  const session = world.session() ?? (await world.whenOpen());
  const result = await session.executeCommand(name, args);
  if (!result) {
    const text = `There is no command /${name}. /help lists them.`;
    world.dispatch({ type: 'note', text, tone: 'error', command });
    return;
  }
  applyCommandResult(session, result);
  await applyCommandData(world, session, result.data ?? {});
  if (result.message === '' || result.data?.triggerResumePicker === true) return;
  const tone = result.success ? 'plain' : 'error';
  world.dispatch({ type: 'note', text: result.message, tone, command });
}

/** What a command asks its surface to show. */
async function applyCommandData(
  world: EffectWorld,
  session: InteractiveSession,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (typeof data.modelId === 'string') {
    world.dispatch({ type: 'status', facts: { model: data.modelId } });
  }
  if (typeof data.name === 'string') {
    world.dispatch({ type: 'status', facts: { sessionName: data.name } });
  }
  if (data.triggerResumePicker === true) world.dispatch({ type: 'picker_opened' });
  if (data.resetRequested === true) {
    await world.resetSettings();
    world.leave();
  }
  const { usedPercentage: contextPercentage } = session.getContextState();
  const facts = { mode: session.getPermissionMode(), contextPercentage };
  world.dispatch({ type: 'status', facts });
}

async function listSessions(world: EffectWorld): Promise<void> {
  for await (const sessions of world.listSessions()) {
    world.dispatch({ type: 'sessions_listed', sessions, isLast: false });
  }
  world.dispatch({ type: 'sessions_listed', sessions: [], isLast: true });
}
