import { useState } from 'react';
import type { PageApi, SessionChanges, SessionName } from '../api.ts';
import type { SessionRow } from '../api-types.ts';
import { usePage } from '../page-context.ts';
import { navigate, sessionAddress } from '../route.ts';
import type { MenuEntry } from './session-menu.tsx';

export interface SessionActions {
  /** The session with its new name, before the server confirms it. */
  readonly session: SessionRow;
  readonly isRenaming: boolean;
  readonly rename: (name: string) => void;
  /** Forks the session, optionally at a block. */
  readonly fork: (at?: string) => void;
  readonly isHandingOver: boolean;
  readonly openHandOver: () => void;
  readonly closeHandOver: () => void;
  readonly entries: readonly MenuEntry[];
}

/** Session actions; failures are announced. */
export function useSessionActions(row: SessionRow): SessionActions {
  const { api, announce, sessions, may } = usePage();
  // A new name is shown until the list is updated.
  const [given, setGiven] = useState<{ readonly title: string; readonly instead: string }>();
  const title = given?.instead === row.title ? given.title : row.title;
  const [isRenaming, setRenaming] = useState(false);
  const session = { ...row, title };
  const [isHandingOver, setHandingOver] = useState(false);
  const { id, agent } = row;
  const isOurs = row.access === 'drive';
  const attempt = (work: Promise<unknown>, done: string) => {
    work.then(
      () => announce(done),
      (error: Error) => announce(error.message),
    );
  };
  const markEntries = usePinAndArchiveEntries(row, attempt);
  const fork = (at?: string) =>
    attempt(
      copyOf(api, row, at).then((session) => navigate(sessionAddress(session))),
      'Forked into a new session',
    );
  const rename = (name: string) => {
    setRenaming(false);
    if (name === '' || name === title) return;
    setGiven({ title: name, instead: row.title });
    attempt(
      api.changeSession({ id, agent }, { name }).then(() => sessions.refresh()),
      `Renamed to ${name}`,
    );
  };
  const save = (format: 'html' | 'markdown' | 'json') =>
    attempt(
      api
        .exportSession({ id, agent }, format)
        .then((blob) => download(blob, `${id}.${ENDINGS[format]}`)),
      'Exported',
    );
  const openHandOver = () => setHandingOver(true);
  const remove = () =>
    attempt(
      api.deleteSession(id).then(() => navigate('/')),
      'Deleted',
    );
  const entries: MenuEntry[] = [
    ...(may('prompt')
      ? [
          { label: 'Rename', onChoose: () => setRenaming(true) },
          ...markEntries,
          { label: 'Fork', isFirst: true, onChoose: () => fork() },
          { label: 'Hand over', onChoose: openHandOver },
        ]
      : []),
    { label: 'Export as HTML', isFirst: true, onChoose: () => save('html') },
    { label: 'Export as Markdown', onChoose: () => save('markdown') },
    { label: 'Export as JSON', onChoose: () => save('json') },
    // Other agents rewind, compact and clear in their own programs.
    ...(isOurs && agent === 'robota' && may('prompt') ? engineEntries(api, id, attempt) : []),
    ...(isOurs && may('admin')
      ? [{ label: 'Delete the session', isFinal: true, onChoose: remove }]
      : []),
  ];
  return {
    session,
    isRenaming,
    rename,
    fork,
    isHandingOver,
    openHandOver,
    closeHandOver: () => setHandingOver(false),
    entries,
  };
}

type Attempt = (work: Promise<unknown>, done: string) => void;

/** Pin and archive, for sessions of any agent. */
function usePinAndArchiveEntries(row: SessionRow, attempt: Attempt): readonly MenuEntry[] {
  const { api, sessions } = usePage();
  const [isPinned, setPinned] = useState(row.is_pinned === true);
  const [isArchived, setArchived] = useState(row.is_archived === true);
  const change = (changes: SessionChanges, done: string) =>
    attempt(
      api.changeSession(row, changes).then(() => sessions.refresh()),
      done,
    );
  return [
    {
      label: isPinned ? 'Unpin' : 'Pin to the top',
      onChoose: () => {
        setPinned(!isPinned);
        change({ is_pinned: !isPinned }, isPinned ? 'Unpinned' : 'Pinned');
      },
    },
    {
      label: isArchived ? 'Take out of the archive' : 'Archive',
      onChoose: () => {
        setArchived(!isArchived);
        change({ is_archived: !isArchived }, isArchived ? 'Taken out' : 'Archived');
      },
    },
  ];
}

function engineEntries(api: PageApi, id: string, attempt: Attempt): readonly MenuEntry[] {
  return [
    {
      label: 'Undo the rewind',
      isFirst: true,
      onChoose: () => attempt(api.undoRewind(id), 'Rewind undone'),
    },
    { label: 'Compact', onChoose: () => attempt(api.act(id, 'compact'), 'Compacted') },
    {
      label: 'Clear the conversation',
      isFinal: true,
      onChoose: () => attempt(api.clearSession(id), 'Cleared'),
    },
  ];
}

/** Forks a session we run; any other one is continued as a Robota session. */
async function copyOf(
  api: PageApi,
  { id, agent, access }: SessionRow,
  at: string | undefined,
): Promise<SessionName> {
  if (access === 'drive') return { agent, id: await api.forkSession(id, at) };
  const options = { to: 'robota', leave_to_target: true };
  const { session_id: copy = '' } = await api.handOver({ id, agent }, options);
  return { agent: 'robota', id: copy };
}

const ENDINGS = { html: 'html', markdown: 'md', json: 'json' };

function download(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}
