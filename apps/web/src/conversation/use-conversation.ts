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
  readonly live: RemoteSessionState | undefined;
  readonly onProblem: (error: unknown) => void;
}

/** Blocks of one thread: the last ones live, earlier ones fetched page by page. */
export function useConversation(source: ConversationSource): ConversationView {
  const { live, thread } = source;
  const pages = usePages(source);
  const recent = live?.isReady ? threadBlocks(live, thread) : undefined;
  const before = live?.isReady ? live.before(thread) : 0;
  const [liveRows] = useState(() => new LiveRows());
  const version = useSyncExternalStore(pages.subscribe, pages.getVersion);
  // biome-ignore lint/correctness/useExhaustiveDependencies: pages change in place; their version tracks it.
  const reader = useMemo<BlockReader>(
    () => (recent ? joinedBlocks(pages, before, recent) : NOTHING),
    [recent, before, pages, version],
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
      if (first < before) pages.need(first, Math.min(last, before - 1));
    },
    metadata: live?.conversation.metadata ?? {},
  };
}

const NOTHING = loadedBlocks([]);

function usePages({ api, session, thread, onProblem }: ConversationSource): BlockPages {
  const { id, agent } = session;
  const [report] = useState(() => ({ problem: onProblem }));
  useEffect(() => {
    report.problem = onProblem;
  });
  return useMemo(
    () =>
      new BlockPages({
        // Only blocks before known ones are requested, so the total is not needed.
        total: Number.MAX_SAFE_INTEGER,
        fetchPage: (from, limit) =>
          api.blocks(
            { id, agent },
            { from, limit, thread: thread === 'main' ? undefined : thread },
          ),
        onProblem: (error) => report.problem(error),
      }),
    [api, id, agent, thread, report],
  );
}

/** The first `before` blocks come from pages, the rest from the live session. */
function joinedBlocks(
  pages: BlockPages,
  before: number,
  recent: readonly ConversationBlock[],
): BlockReader {
  const loaded = loadedBlocks(recent);
  return {
    total: before + recent.length,
    at: (ordinal) => (ordinal < before ? pages.at(ordinal) : loaded.at(ordinal - before)),
    resultOf: (toolUseId) => loaded.resultOf(toolUseId) ?? pages.resultOf(toolUseId),
  };
}

function threadBlocks(
  { conversation }: RemoteSessionState,
  thread: string,
): readonly ConversationBlock[] | undefined {
  if (thread === 'main') return conversation.blocks;
  return conversation.subagents.find(({ id }) => id === thread)?.blocks;
}
