import type { RemoteSessionState, RemoteSessionStore } from '@robota-sdk/agent-transport/react';
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { SessionDetails, SessionRow } from '../api-types.ts';
import { ProjectFolder } from '../blocks/project-folder.ts';
import { HandOverDialog } from '../hand-over/hand-over-dialog.tsx';
import { usePageKeys } from '../keys/page-keys.ts';
import { usePage } from '../page-context.ts';
import { PromptActionsContext } from '../rewind/prompt-actions.tsx';
import { RewindDialog } from '../rewind/rewind-dialog.tsx';
import { sessionAddress } from '../route.ts';
import { ConversationDock } from './conversation-dock.tsx';
import { ConversationList, type ConversationListHandle } from './conversation-list.tsx';
import { useMarkedWords } from './mark-words.ts';
import { outlineOf, promptBeside } from './outline.ts';
import { OutlineRail } from './outline-rail.tsx';
import { branchesByPlace } from './row-plan.ts';
import { SessionMenu } from './session-menu.tsx';
import type { SessionRoute } from './session-page.tsx';
import { StateBanner } from './state-banner.tsx';
import { TitleBar } from './title-bar.tsx';
import { useConversation } from './use-conversation.ts';
import { useSessionActions } from './use-session-actions.ts';

export interface ConversationPageProps {
  readonly route: SessionRoute;
  readonly details: SessionDetails;
  readonly live: RemoteSessionState;
  readonly store: RemoteSessionStore;
}

/** One conversation with its title bar, outline and dock. */
export function ConversationPage(props: ConversationPageProps) {
  const { route, details, live } = props;
  const { api, announce, openSearch, may } = usePage();
  const session = useListedRow(details.session);
  const list = useRef<ConversationListHandle>(null);
  const question = useRef<HTMLElement>(null);
  const [isOutlineOpen, setOutlineOpen] = useState(() => matchMedia(WIDE).matches);
  const [rewindTo, setRewindTo] = useState<string | undefined>();
  const view = useConversation({
    api,
    session,
    thread: route.thread,
    live,
    onProblem: (error) => announce(error instanceof Error ? error.message : String(error)),
  });
  const actions = useSessionActions(session);
  const outline = useMemo(() => outlineOf(view.reader), [view.reader]);
  const branches = useMemo(
    () => branchesByPlace(live.conversation.superseded ?? [], route.thread),
    [live.conversation.superseded, route.thread],
  );
  const wasReady = useWasReady(live);
  const goTo = (ordinal: number) => {
    view.need(ordinal - 20, ordinal + 60);
    list.current?.toRow(view.rows.indexOf(ordinal));
  };
  const found = useFoundBlock(route, session);
  useJumpToBlock({
    ordinal: live.isReady ? found : undefined,
    isHere: view.reader.at(found ?? 0) !== undefined,
    goTo,
  });
  useMarkedWords(route.words, found === undefined ? undefined : `[data-ordinal="${found}"]`);
  const toPrompt = (direction: 'next' | 'previous') => {
    const first = view.rows.at(list.current?.firstRow() ?? 0).ordinal;
    const prompt = promptBeside(outline.prompts, first, direction);
    if (prompt) goTo(prompt.ordinal);
  };
  usePageKeys({
    j: () => toPrompt('next'),
    k: () => toPrompt('previous'),
    o: () => setOutlineOpen(!isOutlineOpen),
    p: () => question.current?.focus(),
    t: toggleThinking,
    f: () => openSearch(session),
  });
  const threadHref = useCallback(
    (thread: string) => sessionAddress(session, { thread }),
    [session],
  );
  const isOurs = session.agent === 'robota' && session.access === 'drive';
  const canRewind = isOurs && route.thread === 'main' && may('prompt');
  const { fork } = actions;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the actions are stable for one session.
  const promptActions = useMemo(
    () =>
      may('prompt')
        ? { onRewind: canRewind ? setRewindTo : undefined, onFork: (at: string) => fork(at) }
        : undefined,
    [canRewind, may, session.id],
  );
  const closeRewind = useCallback(() => setRewindTo(undefined), []);
  return (
    <ProjectFolder value={session.cwd}>
      <PromptActionsContext value={promptActions}>
        {rewindTo !== undefined && (
          <RewindDialog sessionId={session.id} to={rewindTo} onClose={closeRewind} />
        )}
        <div className="conversation">
          <TitleBar
            session={actions.session}
            thread={route.thread}
            context={live.context}
            isRenaming={actions.isRenaming}
            onRename={actions.rename}
            onFork={may('prompt') ? () => fork() : undefined}
            isOutlineOpen={isOutlineOpen}
            onOutline={() => setOutlineOpen(!isOutlineOpen)}
          >
            <SessionMenu entries={actions.entries} />
          </TitleBar>
          <StateBanner session={session} live={live} wasReady={wasReady} />
          <ConversationList
            ref={list}
            reader={view.reader}
            rows={view.rows}
            isBusy={live.isExecuting === true}
            startsAtEnd={route.block === undefined}
            foundOrdinal={found}
            branches={branches}
            threadHref={threadHref}
            onRange={view.need}
          />
          <ConversationDock
            {...props}
            questionRef={question}
            onFork={() => fork()}
            onHandOver={actions.openHandOver}
            onSent={() => list.current?.toEnd()}
          />
        </div>
        {actions.isHandingOver && (
          <HandOverDialog session={session} onClose={actions.closeHandOver} />
        )}
        {isOutlineOpen && (
          <OutlineRail
            outline={outline}
            metadata={view.metadata}
            cost={session.cost_usd}
            threadHref={threadHref}
            onGo={(ordinal) => {
              if (!matchMedia(WIDE).matches) setOutlineOpen(false);
              goTo(ordinal);
            }}
          />
        )}
      </PromptActionsContext>
    </ProjectFolder>
  );
}

/** Width from which the outline fits beside the conversation; below, it overlays it. */
const WIDE = '(min-width: 1180px)';

/** The row with title, cost, model and flags from the session list, which is kept up to date. */
function useListedRow(row: SessionRow): SessionRow {
  const { sessions } = usePage();
  const { rows } = useSyncExternalStore(sessions.subscribe, sessions.getState);
  const listed = rows.find(({ id, agent }) => id === row.id && agent === row.agent);
  const { title, cost_usd: cost, branch, model, is_pinned, is_archived } = listed ?? row;
  return useMemo(
    () => ({ ...row, title, cost_usd: cost, branch, model, is_pinned, is_archived }),
    [row, title, cost, branch, model, is_pinned, is_archived],
  );
}

function useWasReady(live: RemoteSessionState): boolean {
  const wasReady = useRef(false);
  if (live.isReady) wasReady.current = true;
  return wasReady.current;
}

/** Index of the block in the address, given as an index or as an id that the server resolves. */
function useFoundBlock(route: SessionRoute, session: SessionRow): number | undefined {
  const { api, announce } = usePage();
  const { block } = route;
  const { id, agent } = session;
  const isPlace = block !== undefined && /^\d{1,9}$/.test(block);
  const [found, setFound] = useState<number>();
  useEffect(() => {
    setFound(undefined);
    if (block === undefined || isPlace) return;
    let isCurrent = true;
    api.place({ id, agent }, block).then(
      ({ ordinal }) => isCurrent && setFound(ordinal),
      (error: Error) => isCurrent && announce(error.message),
    );
    return () => {
      isCurrent = false;
    };
  }, [api, announce, id, agent, block, isPlace]);
  return isPlace ? Number(block) : found;
}

interface Jump {
  readonly ordinal: number | undefined;
  readonly isHere: boolean;
  readonly goTo: (ordinal: number) => void;
}

/** Jumps to the block of the address: at once to fetch it, and again when it is loaded. */
function useJumpToBlock({ ordinal, isHere, goTo }: Jump): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: jumps once per address and once per load.
  useEffect(() => {
    if (ordinal !== undefined) goTo(ordinal);
  }, [ordinal, isHere]);
}

/** Opens all thinking blocks, or closes them when one is open. */
function toggleThinking(): void {
  const thoughts = [...document.querySelectorAll<HTMLDetailsElement>('details.thinking')];
  const isOpen = thoughts.some((thought) => thought.open);
  for (const thought of thoughts) thought.open = !isOpen;
}
