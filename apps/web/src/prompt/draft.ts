/** Unsent text of each session, kept while the tab is open. */
export interface Drafts {
  read(sessionId: string): string;
  write(sessionId: string, text: string): void;
}

const PREFIX = 'robota.draft.';

export function storedDrafts(storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>): Drafts {
  return {
    read: (sessionId) => storage.getItem(PREFIX + sessionId) ?? '',
    write(sessionId, text) {
      if (text === '') storage.removeItem(PREFIX + sessionId);
      else storage.setItem(PREFIX + sessionId, text);
    },
  };
}

/** What to complete at the cursor: a command at the start of the text, or a file anywhere. */
export type Completion =
  | { readonly kind: 'command'; readonly query: string; readonly from: number }
  | { readonly kind: 'file'; readonly query: string; readonly from: number };

export function completionAt(text: string, cursor: number): Completion | undefined {
  const before = text.slice(0, cursor);
  const command = /^\/([\w:-]*)$/.exec(before);
  if (command) return { kind: 'command', query: command[1] ?? '', from: 0 };
  const file = /(?:^|\s)@([^\s@]*)$/.exec(before);
  if (!file) return undefined;
  const query = file[1] ?? '';
  return { kind: 'file', query, from: cursor - query.length - 1 };
}

/** The text with the word at the cursor completed, and the new cursor position. */
export function complete(
  text: string,
  { from, cursor, word }: { from: number; cursor: number; word: string },
): { readonly text: string; readonly cursor: number } {
  const inserted = `${word} `;
  const rest = text.slice(cursor).replace(/^ /, '');
  return { text: text.slice(0, from) + inserted + rest, cursor: from + inserted.length };
}
