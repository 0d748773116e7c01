import type { RemoteSessionState, RemoteSessionStore } from '@robota-sdk/agent-transport/react';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { SessionDetails } from '../api-types.ts';
import { usePageKeys } from '../keys/page-keys.ts';
import { usePage } from '../page-context.ts';
import { sessionAddress } from '../route.ts';
import { ConversationDock } from './conversation-dock.tsx';
import { ConversationList, type ConversationListHandle } from './conversation-list.tsx';
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
  /** Undefined for a session that only lies on disk. */
  readonly live: RemoteSessionState | undefined;
  readonly store: RemoteSessionStore | undefined;
}

/** One conversation with everything around it. */
export function ConversationPage(props: ConversationPageProps) {
  const { route, details, live } = props;
  const { api, announce } = usePage();
  const { session } = details;
  const list = useRef<ConversationListHandle>(null);
  const question = useRef<HTMLElement>(null);
  const [isOutlineOpen, setOutlineOpen] = useState(true);
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
    () => branchesByPlace(live?.conversation.superseded ?? [], route.thread),
    [live?.conversation.superseded, route.thread],
  );
  const wasReady = useWasReady(live);
  const goTo = (ordinal: number) => {
    view.need(ordinal - 20, ordinal + 60);
    list.current?.toRow(view.rows.indexOf(ordinal));
  };
  useJumpToBlock({
    ordinal: route.block,
    isHere: view.reader.at(route.block ?? 0) !== undefined,
    goTo,
  });
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
  });
  const threadHref = useCallback(
    (thread: string) => sessionAddress(session, { thread }),
    [session],
  );
  return (
    <>
      <div className="conversation">
        <TitleBar
          session={actions.session}
          thread={route.thread}
          context={live?.context}
          isRenaming={actions.isRenaming}
          onRename={actions.rename}
          onFork={actions.fork}
          onOutline={() => setOutlineOpen(!isOutlineOpen)}
        >
          <SessionMenu entries={actions.entries} />
        </TitleBar>
        <StateBanner
          session={session}
          live={live}
          wasReady={wasReady}
          onFork={actions.fork}
          onTakeOver={actions.takeOver}
        />
        <ConversationList
          ref={list}
          reader={view.reader}
          rows={view.rows}
          isBusy={live?.isExecuting === true}
          startsAtEnd={route.block === undefined}
          foundOrdinal={route.block}
          branches={branches}
          threadHref={threadHref}
          onRange={view.need}
        />
        <ConversationDock
          {...props}
          questionRef={question}
          onFork={actions.fork}
          onTakeOver={actions.takeOver}
          onSent={() => list.current?.toEnd()}
        />
      </div>
      {isOutlineOpen && (
        <OutlineRail
          outline={outline}
          metadata={view.metadata}
          cost={session.cost_usd}
          threadHref={threadHref}
          onGo={goTo}
        />
      )}
    </>
  );
}

function useWasReady(live: RemoteSessionState | undefined): boolean {
  const wasReady = useRef(false);
  if (live?.isReady) wasReady.current = true;
  return wasReady.current;
}

interface Jump {
  readonly ordinal: number | undefined;
  readonly isHere: boolean;
  readonly goTo: (ordinal: number) => void;
}

/** Goes to the block of the address: at once so that it is fetched, and again when it is here. */
function useJumpToBlock({ ordinal, isHere, goTo }: Jump): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: a jump is made once for each address and arrival.
  useEffect(() => {
    if (ordinal !== undefined) goTo(ordinal);
  }, [ordinal, isHere]);
}

/** Opens all thoughts in view, or closes them when one is open. */
function toggleThinking(): void {
  const thoughts = [...document.querySelectorAll<HTMLDetailsElement>('details.thinking')];
  const isOpen = thoughts.some((thought) => thought.open);
  for (const thought of thoughts) thought.open = !isOpen;
}
