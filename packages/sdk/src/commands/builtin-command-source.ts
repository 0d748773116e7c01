import { expandModelAlias, getModelName } from '@robota-sdk/agent-core';
import { PERMISSION_MODES } from '../config/permission-modes.ts';
import type { Command, CommandSource } from './command.ts';

/** The built-in slash commands with their subcommands. */
export class BuiltinCommandSource implements CommandSource {
  readonly name = 'builtin';

  getCommands(): readonly Command[] {
    return COMMANDS;
  }
}

const MODES: Readonly<Record<(typeof PERMISSION_MODES)[number], string>> = {
  plan: 'Read only: propose, change nothing',
  default: 'Ask before writing and running',
  acceptEdits: 'Write files without asking, ask before running',
  bypassPermissions: 'Never ask',
};

const MODELS = ['opus', 'sonnet', 'haiku'].map((alias) => {
  const model = expandModelAlias(alias);
  return [model, getModelName(model)] as const;
});

const LANGUAGES = [
  ['ko', 'Korean'],
  ['en', 'English'],
  ['ja', 'Japanese'],
  ['zh', 'Chinese'],
] as const;

const COMMANDS: readonly Command[] = [
  builtin('help', 'Show available commands'),
  builtin('clear', 'Clear conversation history'),
  builtin('compact', 'Compress context window (optional focus instructions)'),
  builtin(
    'mode',
    'Show or change permission mode',
    PERMISSION_MODES.map((mode) => [mode, MODES[mode]] as const),
  ),
  builtin('model', 'Change AI model', MODELS),
  builtin('language', 'Set response language', LANGUAGES),
  builtin('cost', 'Show session, messages, tokens and money'),
  builtin('context', 'Show context window usage'),
  builtin('permissions', 'Show permission mode and session-approved tools'),
  builtin('resume', 'Resume a previous session'),
  builtin('rename', 'Rename the session'),
  builtin('rewind', 'Go back to before a prompt: conversation, files or both', [
    ['undo', 'Take the last rewind back'],
  ]),
  builtin('uncompact', 'Restore the conversation that the last summary replaced'),
  builtin('pin', 'Keep a fact through every compaction'),
  builtin('unpin', 'Let a pinned fact go'),
  builtin('reset', 'Delete settings and exit'),
];

function builtin(
  name: string,
  description: string,
  subcommands: readonly (readonly [string, string])[] = [],
): Command {
  return {
    name,
    description,
    source: 'builtin',
    ...(subcommands.length > 0 && {
      subcommands: subcommands.map(([word, meaning]) => ({
        name: word,
        description: meaning,
        source: 'builtin',
      })),
    }),
  };
}
