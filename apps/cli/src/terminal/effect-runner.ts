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

/** Everything the effect runner may use. */
export interface EffectContext {
  /** Undefined until the session is open, which is after the first paint. */
  session(): SessionView | undefined;
  /** The session once it is open; rejects when it cannot be opened. */
  whenOpen(): Promise<SessionView>;
  /** Slash commands; empty until the session is open. */
  commands(): readonly CommandEntry[];
  readonly cwd: string;
  readonly history: PromptHistoryFile | undefined;
  dispatch(action: ScreenAction): void;
  answerTrust(trusted: boolean): void;
  /** Resolves when the terminal has drawn the current screen and every key sent before that has arrived. */
  whenDrawn(): Promise<void>;
  /** Sessions in batches, as they are found. */
  listSessions(): AsyncIterable<readonly PickableSession[]>;
  /** The first matching line of each session. */
  searchSessions(text: string): Promise<PickerHits>;
  /** The last prompt and answer of a session of any agent. */
  previewSession(session: PickableSession): Promise<SessionPreview>;
  openSession(session: PickableSession, fork: boolean): Promise<void>;
  /** Shows the turn, queue and questions of the open session again, which may be the one before. */
  showWork(): void;
  /** Starts a new session in place of this one. */
  startNew(): Promise<void>;
  /** Continues in a copy of this session, up to block `at` if given. */
  forkSession(at?: string): Promise<void>;
  /** Moves the session from another process into this one. */
  takeOver(): Promise<void>;
  renameSession(session: PickableSession, name: string): Promise<void>;
  scrollAway(): void;
  resetSettings(): Promise<void>;
  /** Stops this process, as ctrl+z does, until the shell continues it. */
  suspend(): Promise<void>;
  leave(): void;
}

/** How long a question ignores keys after it was drawn: nobody reads and decides faster. */
const READING_MS = 500;

/** Runs the effects of the screen. A failure becomes a note; it never throws. */
export function createEffectRunner(context: EffectContext): (effect: ScreenEffect) => void {
  return (effect) => {
    carryOut(context, effect).catch((error: unknown) => noteError(context, error));
  };
}

function noteError(context: EffectContext, error: unknown): void {
  const text = error instanceof Error ? error.message : String(error);
  context.dispatch({ type: 'note', text, tone: 'error' });
}

async function carryOut(context: EffectContext, effect: ScreenEffect): Promise<void> {
  switch (effect.type) {
    case 'submit':
      return submit(context, effect);
    case 'take_back':
      return driven(context.session())?.cancelQueue(effect.messageId);
    case 'run_task':
      return runTask(context, effect.task);
    case 'command':
      return runCommand(context, effect);
    case 'abort':
      return driven(context.session())?.abort();
    case 'answer':
      return answer(context, effect);
    case 'answer_trust':
      context.answerTrust(effect.trusted);
      return;
    case 'await_drawn':
      return awaitDrawn(context, effect.id);
    case 'set_mode':
      return driven(context.session())?.change({ permissionMode: effect.mode });
    case 'open_session':
      return whileOpening(context, () => context.openSession(effect.session, effect.fork));
    case 'rename_session':
    case 'list_sessions':
    case 'search_sessions':
    case 'preview_session':
      return carryOutPicker(context, effect);
    case 'preview_rewind':
    case 'rewind':
    case 'undo_rewind':
      return carryOutRewind(await whenDriven(context), effect, (action) =>
        context.dispatch(action),
      );
    case 'fork_at':
      return whileOpening(context, () => context.forkSession(effect.blockId));
    case 'list_files':
      context.dispatch({ type: 'files_listed', files: await listFiles(context.cwd) });
      return;
    case 'remember_prompt':
      return context.history?.add(effect.prompt);
    case 'scroll_away':
      context.scrollAway();
      return;
    case 'suspend':
      return context.suspend();
    case 'leave':
      context.leave();
  }
}

/** Always dispatches `task_ended`, so that prompts sent meanwhile go to the session that is open then. */
async function whileOpening(context: EffectContext, open: () => Promise<void>): Promise<void> {
  try {
    await open();
  } catch (error) {
    noteError(context, error);
  } finally {
    context.dispatch({ type: 'task_ended', end: {}, at: Date.now() });
    context.showWork();
  }
}

/** Lists that the user opened and expects: they take keys as soon as they are drawn. */
const OPENED_BY_USER: Readonly<Record<string, ScreenAction>> = {
  picker: { type: 'picker_drawn' },
  rewind: { type: 'rewind_drawn' },
};

/** Everything else must be read before it takes keys. */
const OPENED_LATER: Readonly<Record<string, ScreenAction>> = {
  choices: { type: 'choices_drawn' },
  rewind_preview: { type: 'rewind_drawn' },
};

/** Per context: the latest opening of each question or list, by id. */
const openings = new WeakMap<EffectContext, Map<string, symbol>>();

/** Something closed and reopened was drawn again: the reply for its first drawing must not count for the second. */
async function awaitDrawn(context: EffectContext, id: string): Promise<void> {
  const opening = Symbol(id);
  const latest = openings.get(context) ?? new Map<string, symbol>();
  openings.set(context, latest.set(id, opening));
  const report = (action: ScreenAction) => {
    if (latest.get(id) !== opening) return;
    latest.delete(id);
    context.dispatch(action);
  };
  await context.whenDrawn();
  const opened = OPENED_BY_USER[id];
  if (opened) {
    report(opened);
    return;
  }
  const action: ScreenAction = OPENED_LATER[id] ?? { type: 'question_settled', id };
  setTimeout(() => report(action), READING_MS);
}

/** The end of a turn arrives as a session event; this only returns a prompt that never started to the editor. */
async function submit(
  context: EffectContext,
  { messageId, text, display }: Extract<ScreenEffect, { type: 'submit' }>,
): Promise<void> {
  let notice: string | undefined;
  try {
    const session = await whenDriven(context);
    const parts = await imagesOf(context, session, text);
    const outcome = await session.submit(text, display, undefined, { messageId, parts });
    if (outcome.status !== 'refused' && outcome.status !== 'superseded') return;
    if (outcome.status === 'refused') notice = outcome.reason;
  } catch (error) {
    notice = error instanceof Error ? error.message : String(error);
  }
  context.dispatch({ type: 'prompt_returned', messageId, notice, at: Date.now() });
}

/** Images named in the prompt; one that cannot be sent becomes a warning. */
async function imagesOf(context: EffectContext, session: LiveSession, text: string) {
  const paths = imagePathsIn(text);
  if (paths.length === 0 || !session.getCapabilities().images) return undefined;
  const { images, problems } = await readImages(paths, context.cwd);
  for (const problem of problems) {
    context.dispatch({ type: 'note', text: `Image ${problem}`, tone: 'warning' });
  }
  return images;
}

async function whenDriven(context: EffectContext): Promise<LiveSession> {
  const session = driven(context.session() ?? (await context.whenOpen()));
  if (session) return session;
  throw new Error('This session is read-only here. Use robota attach or robota -r to take part.');
}

/** Only the first answer counts; a later one is reported as too late. */
async function answer(
  context: EffectContext,
  { questionId, answer: given }: Extract<ScreenEffect, { type: 'answer' }>,
): Promise<void> {
  const isTaken = await driven(context.session())?.answer(questionId, given);
  if (isTaken !== false) return;
  context.dispatch({ type: 'answered_too_late', words: wordsOf(given) });
}

/** The free text of an answer. */
function wordsOf(given: LiveAnswer): string {
  if (typeof given !== 'object') return '';
  if ('deny' in given) return given.deny;
  return 'answers' in given ? Object.values(given.answers).join('\n') : '';
}

/** Always dispatches `task_ended`, so that queued tasks continue. */
async function runTask(context: EffectContext, task: CommandTask): Promise<void> {
  let end: TaskEnd = { isReturned: true };
  try {
    if (!context.session()) await context.whenOpen();
    end = {};
    await runCommand(context, task);
  } catch (error) {
    if (isAbort(error)) context.dispatch({ type: 'note', text: 'Stopped.', tone: 'plain' });
    else noteError(context, error);
  } finally {
    context.dispatch({ type: 'task_ended', end, at: Date.now() });
  }
}

interface TypedCommand {
  readonly name: string;
  readonly args: string;
  readonly display: string;
}

/** Commands that the terminal handles itself. */
const OWN_COMMANDS: Readonly<Record<string, (context: EffectContext) => Promise<void> | void>> = {
  exit: (context) => context.leave(),
  quit: (context) => context.leave(),
  clear: (context) => context.startNew(),
  fork: (context) => context.forkSession(),
  'take-over': (context) => context.takeOver(),
};

/** Every command with its description, in columns. */
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
  context: EffectContext,
  { name, args, display: command }: TypedCommand,
): Promise<void> {
  const own = OWN_COMMANDS[name];
  if (own) return own(context);
  if (name === 'help') {
    const text = helpText(context.commands());
    context.dispatch({ type: 'note', text, tone: 'plain', command });
    return;
  }
  const session = await whenDriven(context);
  const result = await session.executeCommand(name, args);
  if (result) return showResult(context, session, { name, result, command });
  const done = await runPortCommand(session, name, args);
  if (done?.picksSession) {
    context.dispatch({ type: 'picker_opened' });
    return;
  }
  const text = done?.message ?? `There is no command /${name}. /help lists them.`;
  context.dispatch({ type: 'note', text, tone: done?.success ? 'plain' : 'error', command });
}

interface ShownResult {
  readonly name: string;
  readonly result: CommandResult;
  readonly command: string;
}

/** Shows the message of a command and performs the UI actions it requests. */
async function showResult(
  context: EffectContext,
  session: LiveSession,
  { name, result, command }: ShownResult,
): Promise<void> {
  const { message, success, data = {} } = result;
  if (data.triggerResumePicker === true) context.dispatch({ type: 'picker_opened' });
  if (data.triggerRewindPicker === true) context.dispatch({ type: 'rewind_opened' });
  if (data.resetRequested === true) {
    await context.resetSettings();
    context.leave();
  }
  const { usedPercentage: contextPercentage } = session.getContextState();
  const facts = { mode: session.getPermissionMode(), contextPercentage };
  context.dispatch({ type: 'status', facts });
  // Output of the model or the shell is already in the conversation.
  const isShownElsewhere =
    data.triggerResumePicker === true || data.triggerRewindPicker === true || data.isShown === true;
  if (message === '' || isShownElsewhere) return;
  const choices = choicesOf(name, result);
  if (choices) {
    context.dispatch({ type: 'choices_offered', ...choices, text: message, command });
    return;
  }
  // A command triggered by a key has no typed line to show.
  const typed = command === '' ? undefined : command;
  const tone = success ? 'plain' : 'error';
  context.dispatch({ type: 'note', text: message, tone, command: typed });
}
