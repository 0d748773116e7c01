import type { EditorState } from '../editor/editor-state.ts';
import type { CommandEntry, ScreenState } from './screen-state.ts';

/** Completions at the cursor and the selected one. */
export interface CompletionMenu {
  readonly items: readonly CompletionItem[];
  readonly selected: number;
  /** The part of the prompt that a choice replaces. */
  readonly from: number;
  readonly to: number;
}

interface CompletionItem {
  readonly value: string;
  readonly label: string;
  readonly description: string;
}

const MAX_ITEMS = 200;

/** Slash commands at the start of the prompt, files after an `@`. */
export function completionFor(
  editor: EditorState,
  { commands, files = [] }: Pick<ScreenState, 'commands' | 'files'>,
): CompletionMenu | undefined {
  const before = editor.text.slice(0, editor.cursor);
  return commandCompletion(before, commands) ?? fileCompletion(before, files);
}

/** The same completion stays chosen in a menu of the same text that has more or other entries now. */
export function withSameChoice(
  menu: CompletionMenu | undefined,
  before: CompletionMenu | undefined,
): CompletionMenu | undefined {
  const chosen = before?.items[before.selected]?.value;
  const place = menu?.items.findIndex(({ value }) => value === chosen) ?? -1;
  return menu && place !== -1 ? { ...menu, selected: place } : menu;
}

/** Where the `@` path begins that the cursor is in; files are listed only for one. */
export function filePathStart({ text, cursor }: EditorState): number | undefined {
  const token = fileToken(text.slice(0, cursor));
  return token === undefined ? undefined : cursor - token.length;
}

function commandCompletion(
  before: string,
  commands: readonly CommandEntry[],
): CompletionMenu | undefined {
  const match = /^\/(\S*)$/.exec(before);
  if (!match) return subcommandCompletion(before, commands);
  const prefix = (match[1] ?? '').toLowerCase();
  const items = commands
    .filter((command) => command.name.toLowerCase().startsWith(prefix))
    .map((command) => ({
      value: `/${command.name} `,
      label: `/${command.name}${command.argumentHint ? ` ${command.argumentHint}` : ''}`,
      description: command.description,
    }));
  return completion(items, 0, before.length);
}

function subcommandCompletion(
  before: string,
  commands: readonly CommandEntry[],
): CompletionMenu | undefined {
  const match = /^\/(\S+) (\S*)$/.exec(before);
  const command = commands.find((candidate) => candidate.name === match?.[1]);
  if (!match || !command) return undefined;
  const prefix = (match[2] ?? '').toLowerCase();
  const items = command.subcommands
    .filter((subcommand) => subcommand.name.toLowerCase().startsWith(prefix))
    .map(({ name, description }) => ({ value: name, label: name, description }));
  return completion(items, before.length - prefix.length, before.length);
}

function fileCompletion(before: string, files: readonly string[]): CompletionMenu | undefined {
  const token = fileToken(before);
  if (token === undefined) return undefined;
  const wanted = token.toLowerCase();
  const items = files
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), wanted) }))
    .filter(({ rank }) => rank !== undefined)
    .sort(
      (left, right) => (left.rank ?? 0) - (right.rank ?? 0) || left.path.length - right.path.length,
    )
    .map(({ path }) => ({ value: `@${path} `, label: path, description: '' }));
  return completion(items, before.length - token.length - 1, before.length);
}

function fileToken(before: string): string | undefined {
  return /(?:^|\s)@(\S*)$/.exec(before)?.[1];
}

/** Name prefix first, then path prefix, then substring. */
function rankOf(path: string, wanted: string): number | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (path.startsWith(wanted)) return 1;
  return path.includes(wanted) ? 2 : undefined;
}

function completion(
  items: readonly CompletionItem[],
  from: number,
  to: number,
): CompletionMenu | undefined {
  if (items.length === 0) return undefined;
  return { items: items.slice(0, MAX_ITEMS), selected: 0, from, to };
}
