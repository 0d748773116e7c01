import type { RewindScope } from '@robota-sdk/agent-core/log';
import type { InteractiveSession } from '../interactive/interactive-session.ts';
import type { ConflictChoice, RewindResult } from '../rewind/rewind.ts';
import type { CommandResult, SystemCommand } from './system-command.ts';

/** Commands for rewinding and for pinning facts across compactions. */
export function createRewindCommands(): SystemCommand[] {
  return [rewind, uncompact, pin, unpin];
}

const USAGE =
  'Usage: rewind <prompts back> [conversation|files|both] [keep|overwrite], or rewind undo [keep|overwrite]';

const rewind: SystemCommand = {
  name: 'rewind',
  description: 'Go back to before a prompt: conversation, files or both; or undo that',
  async execute(session, args) {
    if (args === '') {
      const message = `Choose a prompt to go back to. ${USAGE}`;
      return { success: true, message, data: { triggerRewindPicker: true } };
    }
    const words = args.split(/\s+/);
    const conflicts = words.find(isChoice);
    const [first = ''] = words;
    try {
      if (first === 'undo')
        return describeRewind('Undid the rewind', await session.undoRewind({ conflicts }));
      const to = promptBack(session, Number(first));
      if (to === undefined) return { success: false, message: USAGE };
      const what = words.find(isScope);
      return describeRewind('Went back', await session.rewind({ to, what, conflicts }));
    } catch (error) {
      return { success: false, message: (error as Error).message };
    }
  },
};

const uncompact: SystemCommand = {
  name: 'uncompact',
  description: 'Restore the conversation that the last summary replaced',
  async execute(session) {
    const messages = await session.uncompact();
    return { success: true, message: `The earlier conversation is back: ${messages} messages.` };
  },
};

const pin: SystemCommand = {
  name: 'pin',
  description: 'Keep a fact through every compaction; without text, list what is pinned',
  async execute(session, args) {
    if (args === '') return { success: true, message: listed(session.pins.list()) };
    await session.pins.add(args);
    return { success: true, message: `Pinned: ${args}` };
  },
};

const unpin: SystemCommand = {
  name: 'unpin',
  description: 'Let a pinned fact go, by its number or its text',
  async execute(session, args) {
    const pins = session.pins.list();
    const text = pins[Number(args) - 1] ?? pins.find((pinned) => pinned === args);
    if (text === undefined) return { success: false, message: listed(pins) };
    await session.pins.remove(text);
    return { success: true, message: `Not pinned any more: ${text}` };
  },
};

function listed(pins: readonly string[]): string {
  if (pins.length === 0) return 'Nothing is pinned. Usage: pin <fact>';
  return ['Pinned:', ...pins.map((text, index) => `  ${index + 1}. ${text}`)].join('\n');
}

/** The last prompt is 1. */
function promptBack(session: InteractiveSession, count: number): string | undefined {
  if (!Number.isInteger(count) || count < 1) return undefined;
  return session
    .getBlocks()
    .filter(({ type }) => type === 'user_message')
    .at(-count)?.id;
}

function describeRewind(done: string, { files, kept, prompt }: RewindResult): CommandResult {
  const changed = files.length === 0 ? 'no file changed' : `${files.length} files changed`;
  const left = kept.length === 0 ? '' : `; left as you have them: ${kept.join(', ')}`;
  return { success: true, message: `${done}: ${changed}${left}.`, data: { prompt } };
}

function isScope(word: string): word is RewindScope {
  return word === 'conversation' || word === 'files' || word === 'both';
}

function isChoice(word: string): word is ConflictChoice {
  return word === 'keep' || word === 'overwrite';
}
