import {
  type CommandResult,
  type LiveAnswer,
  type LiveSession,
  readImages,
  type SessionView,
} from '@robota-sdk/agent-sdk';
import { isAbort } from '../report-error.ts';
import { choicesOf } from './choices-of.ts';
import { listFiles } from './list-files.ts';
import { carryOutPicker } from './picker-effects.ts';
import { runPortCommand } from './port-commands.ts';
import type { PromptHistoryFile } from './prompt-history-file.ts';
import { carryOutRewind } from './rewind-effects.ts';
import { driven } from './session-bridge.ts';
import { imagePathsIn } from './state/dropped-image.ts';
import type { PickableSession, PickerHits, SessionPreview } from './state/overlay.ts';
import type { ScreenAction, ScreenEffect, TaskEnd } from './state/screen-action.ts';
import type { CommandEntry } from './state/screen-state.ts';
import type { CommandTask } from './state/work.ts';

/** What the runner may reach of the world. */
export interface EffectWorld {
  /** Undefined until the session stands, which is after the first paint. */
  session(): SessionView | undefined;
  /** The session as soon as it stands; rejects when it cannot be opened. */
  whenOpen(): Promise<SessionView>;
  /** What can be asked of the session by name; empty until it stands. */
  commands(): readonly CommandEntry[];
  readonly cwd: string;
  readonly history: PromptHistoryFile | undefined;
  dispatch(action: ScreenAction): void;
  answerTrust(trusted: boolean): void;
  /** Resolves when what is on the screen now has been drawn, and keys sent before have arrived. */
  whenDrawn(): Promise<void>;
  /** Sessions in parts, as they are found. */
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  /** Where words were said, by session. */
  searchSessions(text: string): Promise<PickerHits>;
  /** What was said last in a session of any agent. */
  previewSession(session: PickableSession): Promise<SessionPreview>;
  openSession(session: PickableSession, fork: boolean): Promise<void>;
  /** Begins a new session in the place of this one. */
  beginAnew(): Promise<void>;
  /** Goes on in a copy of this session, which ends at a block where one is named. */
  forkSession(at?: string): Promise<void>;
  /** Holds a session here that another process held. */
  takeOver(): Promise<void>;
  renameSession(session: PickableSession, name: string): Promise<void>;
  scrollAway(): void;
  resetSettings(): Promise<void>;
  /** Stops this process, as ctrl+z does, until the shell continues it. */
  suspend(): void;
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
    case 'submit':
      return submit(world, effect);
    case 'take_back':
      return driven(world.session())?.cancelQueue(effect.messageId);
    case 'run_task':
      return runTask(world, effect.task);
    case 'command':
      return runCommand(world, effect);
    case 'abort':
      return driven(world.session())?.abort();
    case 'answer':
      return answer(world, effect);
    case 'answer_trust':
      world.answerTrust(effect.trusted);
      return;
    case 'await_drawn':
      return awaitDrawn(world, effect.id);
    case 'set_mode':
      return driven(world.session())?.change({ permissionMode: effect.mode });
    case 'open_session':
    case 'rename_session':
    case 'list_sessions':
    case 'search_sessions':
    case 'preview_session':
      return carryOutPicker(world, effect);
    case 'preview_rewind':
    case 'rewind':
    case 'undo_rewind':
      return carryOutRewind(await whenDriven(world), effect, (action) => world.dispatch(action));
    case 'fork_at':
      return world.forkSession(effect.blockId);
    case 'list_files':
      world.dispatch({ type: 'files_listed', files: await listFiles(world.cwd) });
      return;
    case 'remember_prompt':
      return world.history?.add(effect.prompt);
    case 'scroll_away':
      world.scrollAway();
      return;
    case 'suspend':
      world.suspend();
      return;
    case 'leave':
      world.leave();
  }
}

/** For each world, what came up last under an id. */
const openings = new WeakMap<EffectWorld, Map<string, symbol>>();

/** What went down and came up again was drawn anew: the sign for its first picture says nothing about the second. */
async function awaitDrawn(world: EffectWorld, id: string): Promise<void> {
  const opening = Symbol(id);
  const latest = openings.get(world) ?? new Map<string, symbol>();
  openings.set(world, latest.set(id, opening));
  const tell = (seen: ScreenAction) => {
    if (latest.get(id) !== opening) return;
    latest.delete(id);
    world.dispatch(seen);
  };
  await world.whenDrawn();
  if (id === 'picker') {
    tell({ type: 'picker_drawn' });
    return;
  }
  const seen: ScreenAction =
    id === 'choices' ? { type: 'choices_drawn' } : { type: 'question_settled', id };
  setTimeout(() => tell(seen), READING_MS);
}

/** How a turn ends the session tells; here it is only seen to that a prompt which never begins is not lost. */
async function submit(
  world: EffectWorld,
  { messageId, text, display }: Extract<ScreenEffect, { type: 'submit' }>,
): Promise<void> {
  let notice: string | undefined;
  try {
    const session = await whenDriven(world);
    const parts = await imagesOf(world, session, text);
    const outcome = await session.submit(text, display, undefined, { messageId, parts });
    if (outcome.status !== 'refused' && outcome.status !== 'superseded') return;
    if (outcome.status === 'refused') notice = outcome.reason;
  } catch (error) {
    notice = error instanceof Error ? error.message : String(error);
  }
  world.dispatch({ type: 'prompt_returned', messageId, notice, at: Date.now() });
}

/** Images that were dropped on the prompt; one that cannot be sent is named. */
async function imagesOf(world: EffectWorld, session: LiveSession, text: string) {
  const paths = imagePathsIn(text);
  if (paths.length === 0 || !session.getCapabilities().images) return undefined;
  const { images, problems } = await readImages(paths, world.cwd);
  for (const problem of problems) {
    world.dispatch({ type: 'note', text: `Image ${problem}`, tone: 'warning' });
  }
  return images;
}

async function whenDriven(world: EffectWorld): Promise<LiveSession> {
  const session = driven(world.session() ?? (await world.whenOpen()));
  if (session) return session;
  throw new Error('This session is read-only here. Use robota attach or robota -r to take part.');
}

/** The first answer counts; whoever comes second is told. */
async function answer(
  world: EffectWorld,
  { questionId, answer: given }: Extract<ScreenEffect, { type: 'answer' }>,
): Promise<void> {
  const isTaken = await driven(world.session())?.answer(questionId, given);
  if (isTaken !== false) return;
  world.dispatch({ type: 'answered_too_late', words: wordsOf(given) });
}

/** What a person wrote in an answer. */
function wordsOf(given: LiveAnswer): string {
  if (typeof given !== 'object') return '';
  if ('deny' in given) return given.deny;
  return 'answers' in given ? Object.values(given.answers).join('\n') : '';
}

/** Runs to its end, whatever happens, so that what waits behind it gets its turn. */
async function runTask(world: EffectWorld, task: CommandTask): Promise<void> {
  let end: TaskEnd = { isReturned: true };
  try {
    if (!world.session()) await world.whenOpen();
    end = {};
    await runCommand(world, task);
  } catch (error) {
    if (isAbort(error)) world.dispatch({ type: 'note', text: 'Stopped.', tone: 'plain' });
    else noteError(world, error);
  } finally {
    world.dispatch({ type: 'task_ended', end, at: Date.now() });
  }
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
  fork: (world) => world.forkSession(),
  'take-over': (world) => world.takeOver(),
};

/** Every command with what it does, in columns. */
function helpText(commands: readonly CommandEntry[]): string {
  const rows = commands.map(({ name, argumentHint, description }) => {
    const usage = `/${name}${argumentHint === undefined ? '' : ` ${argumentHint}`}`;
    return { usage, description };
  });
  const widest = Math.min(24, Math.max(0, ...rows.map(({ usage }) => usage.length)));
  const lines = rows.map(({ usage, description }) => `${usage.padEnd(widest)}  ${description}`);
  return [...lines, '', 'Keys: ? on an empty prompt shows them.'].join('\n');
}

async function runCommand(
  world: EffectWorld,
  { name, args, display: command }: GivenCommand,
): Promise<void> {
  const own = OWN_COMMANDS[name];
  if (own) return own(world);
  if (name === 'help') {
    const text = helpText(world.commands());
    world.dispatch({ type: 'note', text, tone: 'plain', command });
    return;
  }
  const session = await whenDriven(world);
  const result = await session.executeCommand(name, args);
  if (result) return showResult(world, session, { name, result, command });
  const done = await runPortCommand(session, name, args);
  if (done?.picksSession) {
    world.dispatch({ type: 'picker_opened' });
    return;
  }
  const text = done?.message ?? `There is no command /${name}. /help lists them.`;
  world.dispatch({ type: 'note', text, tone: done?.success ? 'plain' : 'error', command });
}

interface ShownResult {
  readonly name: string;
  readonly result: CommandResult;
  readonly command: string;
}

/** Shows what a command says, and what it asks its surface to show. */
async function showResult(
  world: EffectWorld,
  session: LiveSession,
  { name, result, command }: ShownResult,
): Promise<void> {
  const { message, success, data = {} } = result;
  if (data.triggerResumePicker === true) world.dispatch({ type: 'picker_opened' });
  if (data.triggerRewindPicker === true) world.dispatch({ type: 'rewind_opened' });
  if (data.resetRequested === true) {
    await world.resetSettings();
    world.leave();
  }
  const { usedPercentage: contextPercentage } = session.getContextState();
  const facts = { mode: session.getPermissionMode(), contextPercentage };
  world.dispatch({ type: 'status', facts });
  // What a command asked of the model or the shell stands in the conversation.
  const isShownElsewhere =
    data.triggerResumePicker === true || data.triggerRewindPicker === true || data.isShown === true;
  if (message === '' || isShownElsewhere) return;
  const choices = choicesOf(name, result);
  if (choices) {
    world.dispatch({ type: 'choices_offered', ...choices, text: message, command });
    return;
  }
  // What a key asked for stands behind no line that somebody typed.
  const typed = command === '' ? undefined : command;
  const tone = success ? 'plain' : 'error';
  world.dispatch({ type: 'note', text: message, tone, command: typed });
}
