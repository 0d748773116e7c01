import { useState } from 'react';
import type { SessionRow } from '../api-types.ts';
import { usePage } from '../page-context.ts';
import { navigate, sessionAddress } from '../route.ts';
import type { MenuEntry } from './session-menu.tsx';

export interface SessionActions {
  /** The session with the name it was just given. */
  readonly session: SessionRow;
  readonly isRenaming: boolean;
  readonly rename: (name: string) => void;
  readonly fork: () => void;
  readonly takeOver: () => void;
  readonly entries: readonly MenuEntry[];
}

/** What can be done to a whole session; what goes wrong is said. */
export function useSessionActions(row: SessionRow): SessionActions {
  const { api, announce, sessions } = usePage();
  const [title, setTitle] = useState(row.title);
  const [isRenaming, setRenaming] = useState(false);
  const session = { ...row, title };
  const { id, agent } = row;
  const attempt = (work: Promise<unknown>, done: string) => {
    work.then(
      () => announce(done),
      (error: Error) => announce(error.message),
    );
  };
  const fork = () =>
    attempt(
      api.forkSession(id).then((copy) => navigate(sessionAddress({ agent, id: copy }))),
      'Forked into a new session',
    );
  const rename = (name: string) => {
    setRenaming(false);
    if (name === '' || name === title) return;
    setTitle(name);
    attempt(
      api.changeSession(id, { name }).then(() => sessions.refresh()),
      `Renamed to ${name}`,
    );
  };
  const save = (format: 'html' | 'markdown' | 'jsonl') =>
    attempt(
      api.exportSession(id, format).then((blob) => download(blob, `${id}.${ENDINGS[format]}`)),
      'Exported',
    );
  const isOurs = row.access === 'drive';
  const entries: MenuEntry[] = [
    { label: 'Rename', onChoose: () => setRenaming(true) },
    { label: 'Fork', onChoose: fork },
    { label: 'Export as HTML', onChoose: () => save('html') },
    { label: 'Export as Markdown', onChoose: () => save('markdown') },
    { label: 'Export as JSON lines', onChoose: () => save('jsonl') },
    ...(isOurs
      ? [
          { label: 'Compact', onChoose: () => attempt(api.act(id, 'compact'), 'Compacted') },
          { label: 'Hand over', onChoose: () => attempt(api.act(id, 'hand-over'), 'Handed over') },
          {
            label: 'Clear the conversation',
            isFinal: true,
            onChoose: () => attempt(api.clearSession(id), 'Cleared'),
          },
          {
            label: 'Delete the session',
            isFinal: true,
            onChoose: () =>
              attempt(
                api.deleteSession(id).then(() => navigate('/')),
                'Deleted',
              ),
          },
        ]
      : []),
  ];
  const takeOver = () => attempt(api.act(id, 'take-over'), 'Taken over');
  return { session, isRenaming, rename, fork, takeOver, entries };
}

const ENDINGS = { html: 'html', markdown: 'md', jsonl: 'jsonl' };

function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
