import type { ConversationBlock, SessionMetadata } from '@robota-sdk/agent-transcript';
import type { RemoteSessionState } from '@robota-sdk/agent-transport/react';
import { useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { PageApi } from '../api.ts';
import type { SessionRow } from '../api-types.ts';
import { BlockPages } from './block-pages.ts';
import { type ListRows, LiveRows } from './live-rows.ts';
import { loadedBlocks } from './loaded-blocks.ts';
import type { BlockReader } from './row-plan.ts';

export interface ConversationView {
  readonly reader: BlockReader;
  readonly rows: ListRows;
  readonly need: (first: number, last: number) => void;
  readonly metadata: SessionMetadata;
}

interface ConversationSource {
  readonly api: PageApi;
  readonly session: SessionRow;
  readonly thread: string;
  /** Undefined for a session that only lies on disk. */
  readonly live: RemoteSessionState | undefined;
  readonly onProblem: (error: unknown) => void;
}

/** Blocks of one thread: told live where the session is open, fetched page by page where it is not. */
export function useConversation(source: ConversationSource): ConversationView {
  const { live, thread } = source;
  const pages = usePages(source);
  const told = live?.isReady ? threadBlocks(live, thread) : undefined;
  const [liveRows] = useState(() => new LiveRows());
  const version = useSyncExternalStore(pages.subscribe, pages.getVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: pages change in place, and say so by their version.
  const reader = useMemo<BlockReader>(
    () => (told ? loadedBlocks(told) : snapshotOf(pages)),
    [told, pages, version],
  );
  const isGrowing = live?.isExecuting === true;
  const rows = useMemo(() => {
    const last = reader.at(reader.total - 1);
    return liveRows.rows(reader, isGrowing ? last : undefined);
  }, [reader, liveRows, isGrowing]);
  return {
    reader,
    rows,
    need: (first, last) => {
      if (!told) pages.need(first, last);
    },
    metadata: live?.conversation.metadata ?? {},
  };
}

function usePages({ api, session, thread, onProblem }: ConversationSource): BlockPages {
  const { id, block_count: total } = session;
  const [report] = useState(() => ({ problem: onProblem }));
  useEffect(() => {
    report.problem = onProblem;
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: a longer session is continued, not begun again.
  return useMemo(
    () =>
      new BlockPages({
        total: thread === 'main' ? total : 1,
        fetchPage: (from, limit) =>
          api.blocks(id, { from, limit, thread: thread === 'main' ? undefined : thread }),
        onProblem: (error) => report.problem(error),
      }),
    [api, id, thread],
  );
}

/** A new object for each state, so that what depends on it is made anew. */
function snapshotOf(pages: BlockPages): BlockReader {
  return {
    total: pages.total,
    at: (ordinal) => pages.at(ordinal),
    resultOf: (toolUseId) => pages.resultOf(toolUseId),
  };
}

function threadBlocks(
  { conversation }: RemoteSessionState,
  thread: string,
): readonly ConversationBlock[] | undefined {
  if (thread === 'main') return conversation.blocks;
  return conversation.subagents.find(({ id }) => id === thread)?.blocks;
}
