import type { SupersededBranch } from '@robota-sdk/agent-transcript';
import { ArrowDown } from 'lucide-react';
import {
  memo,
  type ReactNode,
  type Ref,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { MarkdownBlock } from '../markdown/markdown-view.tsx';
import { FollowEnd, isAwayFromEnd } from './follow-end.ts';
import type { ListRow, ListRows } from './live-rows.ts';
import { type BlockReader, rowAt } from './row-plan.ts';
import { RowView } from './row-view.tsx';

export interface ConversationListHandle {
  toEnd(): void;
  /** Scrolls a row to the top and keeps it there while nearby rows load. */
  toRow(index: number): void;
  /** The topmost visible row. */
  firstRow(): number;
}

export interface ConversationListProps {
  readonly reader: BlockReader;
  readonly rows: ListRows;
  readonly isBusy: boolean;
  readonly startsAtEnd: boolean;
  readonly foundOrdinal?: number | undefined;
  readonly branches: ReadonlyMap<string | null, readonly SupersededBranch[]>;
  readonly threadHref: (subagentId: string) => string;
  readonly onRange: (first: number, last: number) => void;
  readonly ref?: Ref<ConversationListHandle>;
}

/** Frames in which a jump target is repositioned while nearby rows are measured. */
const SETTLE_FRAMES = 24;
/** Rows fetched beyond the visible ones, on both sides. */
const MARGIN_ROWS = 30;

export function ConversationList(props: ConversationListProps) {
  const { rows, isBusy, onRange } = props;
  const box = useRef<HTMLElement>(null);
  const list = useRef<VirtualizerHandle>(null);
  const [follow] = useState(() => new FollowEnd(props.startsAtEnd));
  const jump = useRef<AbortController>(undefined);
  const [isAway, setAway] = useState(false);

  const gap = () => {
    const element = box.current;
    return element ? element.scrollHeight - element.scrollTop - element.clientHeight : 0;
  };
  const stickToEnd = () => {
    const element = box.current;
    if (follow.isFollowing && element) element.scrollTop = element.scrollHeight;
  };
  const reportRange = () => {
    const handle = list.current;
    if (!handle) return;
    const first = handle.findItemIndex(handle.scrollOffset);
    const last = handle.findItemIndex(handle.scrollOffset + handle.viewportSize);
    onRange(
      rows.at(Math.max(0, first - MARGIN_ROWS)).ordinal,
      rows.at(Math.min(rows.length - 1, last + MARGIN_ROWS)).ordinal,
    );
  };
  const onScroll = () => {
    const top = box.current?.scrollTop ?? 0;
    const left = gap();
    follow.scrolled({ gap: left, top, now: performance.now() });
    // Rows taller than estimated move the end without user scrolling.
    if (left > 1) stickToEnd();
    setAway(isAwayFromEnd(follow, left));
    reportRange();
  };
  /** User scrolling cancels a jump that is still settling. */
  const hand = (direction: 'up' | 'down' | 'either') => {
    jump.current?.abort();
    follow.hand(direction, performance.now());
  };
  const toEnd = () => {
    jump.current?.abort();
    follow.toEnd();
    setAway(false);
    stickToEnd();
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: new rows move the end.
  useLayoutEffect(() => {
    stickToEnd();
    reportRange();
  }, [rows]);
  useEffect(() => observeSize(box.current, stickToEnd));
  useImperativeHandle(props.ref, () => ({
    toEnd,
    toRow: (index) => {
      follow.leaveEnd();
      jump.current?.abort();
      jump.current = new AbortController();
      settleAt({ index, list, box: box.current, signal: jump.current.signal });
    },
    firstRow: () => list.current?.findItemIndex(list.current.scrollOffset) ?? 0,
  }));

  return (
    <div className="conversation-frame">
      <section
        ref={box}
        className="conversation-scroll"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the conversation is scrolled with the keyboard.
        tabIndex={0}
        aria-label="Conversation"
        aria-busy={isBusy}
        onScroll={onScroll}
        onWheel={({ deltaY }) => hand(deltaY < 0 ? 'up' : 'down')}
        onTouchMove={() => hand('either')}
        onPointerDown={(event) => {
          if (event.target === event.currentTarget) follow.hand('either', Number.MAX_SAFE_INTEGER);
        }}
        onPointerUp={() => hand('either')}
        onKeyDown={({ key }) => {
          if (UP_KEYS.has(key)) hand('up');
          else if (DOWN_KEYS.has(key)) hand('down');
        }}
      >
        <div className="conversation-rows" role="feed" aria-label="Blocks" aria-busy={isBusy}>
          <Virtualizer ref={list} scrollRef={box} data={numbered(rows.length)} bufferSize={600}>
            {(_, index) => <Row key={rows.at(index).key} {...props} index={index} />}
          </Virtualizer>
        </div>
      </section>
      {isAway && (
        <button type="button" className="latest" onClick={toEnd}>
          <ArrowDown aria-hidden="true" />
          Latest
        </button>
      )}
    </div>
  );
}

/** The list renders rows by index; it only needs their number. */
function numbered(length: number): ArrayLike<undefined> {
  return { length };
}

const UP_KEYS = new Set(['PageUp', 'ArrowUp', 'Home']);
const DOWN_KEYS = new Set(['PageDown', 'ArrowDown', 'End', ' ']);

/** Calls `onChange` when the rows change size, for example by an opened fold. */
function observeSize(box: HTMLElement | null, onChange: () => void): (() => void) | undefined {
  const inner = box?.firstElementChild;
  if (!inner) return undefined;
  const observer = new ResizeObserver(onChange);
  observer.observe(inner);
  return () => observer.disconnect();
}

interface SettleOptions {
  readonly index: number;
  readonly list: { readonly current: VirtualizerHandle | null };
  readonly box: HTMLElement | null;
  readonly framesLeft?: number;
  readonly signal: AbortSignal;
}

/** Row sizes are known only after rendering, so the position is corrected until it is stable. */
function settleAt(options: SettleOptions): void {
  const { index, list, box, framesLeft = SETTLE_FRAMES } = options;
  const handle = list.current;
  if (!handle || !box || options.signal.aborted) return;
  const row = box.querySelector(`[data-row="${index}"]`);
  const offset = row ? row.getBoundingClientRect().top - box.getBoundingClientRect().top : 0;
  if (!row || Math.abs(offset - TOP_MARGIN) > 1) {
    if (row && box.scrollTop + box.clientHeight >= box.scrollHeight - 1 && offset > TOP_MARGIN) {
      return;
    }
    handle.scrollToIndex(index, { align: 'start', offset: -TOP_MARGIN });
  }
  if (framesLeft === 0) return;
  requestAnimationFrame(() => settleAt({ ...options, framesLeft: framesLeft - 1 }));
}

const TOP_MARGIN = 8;

const Row = memo(function Row(props: ConversationListProps & { readonly index: number }) {
  const { rows, index, foundOrdinal } = props;
  const row = rows.at(index);
  const isFound = row.ordinal === foundOrdinal;
  return (
    <article
      className={isFound ? 'row row-found' : 'row'}
      data-row={index}
      data-ordinal={row.ordinal}
      aria-posinset={index + 1}
      aria-setsize={rows.length}
    >
      <RowBody {...props} row={row} />
    </article>
  );
});

type RowBodyProps = ConversationListProps & { readonly index: number; readonly row: ListRow };

function RowBody(props: RowBodyProps): ReactNode {
  const { row, rows, index, reader, branches } = props;
  const block = reader.at(row.ordinal);
  if (row.kind === 'token') {
    const isEnd = index === rows.length - 1 || rows.at(index + 1).ordinal !== row.ordinal;
    const aside = isEnd && block ? branches.get(block.id) : undefined;
    return (
      <>
        <div className={row.isOpen ? 'md md-part md-open' : 'md md-part'} dir="auto">
          <MarkdownBlock token={row.token} isOpen={row.isOpen} />
        </div>
        {aside && <RowView row={{ kind: 'nothing' }} branches={aside} />}
      </>
    );
  }
  const isLast = row.ordinal === reader.total - 1;
  return (
    <RowView
      row={rowAt(reader, row.ordinal)}
      isLive={props.isBusy && isLast}
      threadHref={props.threadHref}
      branches={block && branches.get(block.id)}
    />
  );
}
