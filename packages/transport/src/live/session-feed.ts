import { firstArgumentOf } from '@robota-sdk/agent-core/log';
import {
  redact,
  type SessionView,
  StreamEventRedactor,
  type ToolState,
} from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
} from '@robota-sdk/agent-transcript';
import type { Reply, ResumePoint, Snapshot, TurnResult } from '../protocol.ts';
import { EventJournal, type NewEvent } from './event-journal.ts';
import { formatPosition, parsePosition } from './event-position.ts';
import { initFrame, snapshotFacts } from './session-frames.ts';

/** What a client gets first, and the journal index after which its events follow. */
export interface Opening {
  readonly replies: readonly Reply[];
  readonly after: number;
}

/** The events of a session for one kind of client. */
export interface SessionFeed {
  readonly journal: EventJournal;
  /** `init`, then a snapshot unless the journal still covers the client's position. */
  open(resume: ResumePoint): Opening;
  snapshot(tail?: number): Snapshot;
  conversation(): ConversationState;
}

/** The complete feed, for clients with more than the `read` role. */
export class FullFeed implements SessionFeed {
  readonly journal: EventJournal;
  readonly #view: SessionView;

  constructor(view: SessionView) {
    this.#view = view;
    const { sessionId } = view;
    this.journal = new EventJournal({ sessionId, number: () => view.getLastSequence() });
  }

  open(resume: ResumePoint): Opening {
    return openFeed(this, this.#view, resume);
  }

  conversation(): ConversationState {
    return this.#view.getConversation();
  }

  snapshot(tail?: number): Snapshot {
    // Reading the conversation can emit events, so the position is read afterwards.
    const facts = snapshotFacts(this.#view);
    const epoch = this.#view.getStreamEpoch();
    return withTail({ ...facts, epoch, ...this.journal.position }, tail);
  }
}

/** The same events at the same positions with secrets redacted, for read-only clients. */
export class ReaderFeed implements SessionFeed {
  readonly journal: EventJournal;
  readonly #view: SessionView;
  readonly #redactor = new StreamEventRedactor();
  #conversation: ConversationState;

  /** Starts at the full journal's position; clients that resume from earlier get a snapshot. */
  constructor(view: SessionView, full: EventJournal) {
    this.#view = view;
    this.#conversation = this.#redacted(view.getConversation());
    const { sessionId } = view;
    const number = () => view.getLastSequence();
    this.journal = new EventJournal({ sessionId, number, start: full.position });
    full.onAppend((event, position) => this.journal.appendAt(this.#redact(event), position));
  }

  open(resume: ResumePoint): Opening {
    const { replies, after } = openFeed(this, this.#view, resume);
    // Snapshots are already redacted; the name in `init` is not.
    return { replies: replies.map((each) => (each.type === 'init' ? redact(each) : each)), after };
  }

  conversation(): ConversationState {
    return this.#conversation;
  }

  snapshot(tail?: number): Snapshot {
    const { conversation: _full, ...facts } = snapshotFacts(this.#view);
    const conversation = this.#conversation;
    const epoch = this.#view.getStreamEpoch();
    const place = { epoch, ...this.journal.position };
    const text = textSincePrompt(conversation.blocks);
    const shown = redact(facts);
    const tools = shown.active_tools.map((tool) => this.#withShownArgument(tool));
    const rest = { active_tools: tools, streaming_text: text, conversation };
    return withTail({ ...shown, ...rest, ...place }, tail);
  }

  #redact(event: NewEvent): NewEvent {
    if (event.type === 'resync') {
      this.#conversation = this.#redacted(event.conversation);
      return { ...event, conversation: this.#conversation };
    }
    if (event.type !== 'stream_event') return this.#withShownArguments(redact(event));
    const shown = this.#redactor.redactEvent(event.event);
    this.#conversation = applyStreamEvent(this.#conversation, shown);
    return { ...event, event: shown };
  }

  #withShownArguments(event: NewEvent): NewEvent {
    switch (event.type) {
      case 'tool_start':
      case 'tool_end':
        return { ...event, tool: this.#withShownArgument(event.tool) };
      case 'complete':
      case 'interrupted':
        return { ...event, turn: this.#withShownSummaries(event.turn) };
      case 'result':
        return event.turn ? { ...event, turn: this.#withShownSummaries(event.turn) } : event;
      default:
        return event;
    }
  }

  #withShownSummaries(turn: TurnResult): TurnResult {
    const toolSummaries = turn.toolSummaries.map((summary) => {
      const { firstArg } = this.#withShownArgument(summary);
      return { ...summary, firstArg, args: firstArg };
    });
    return { ...turn, toolSummaries };
  }

  /** A long argument is cut, perhaps in the middle of a secret; so it is cut again from the redacted call. */
  #withShownArgument<Tool extends ToolState>(tool: Tool): Tool {
    const { blocks, subagents } = this.#conversation;
    const threads = [blocks, ...subagents.map((thread) => thread.blocks)];
    for (const thread of threads) {
      const call = thread.findLast(
        (block) => block.type === 'tool_use' && block.toolUseId === tool.toolCallId,
      );
      if (call?.type === 'tool_use') return { ...tool, firstArg: firstArgumentOf(call.input) };
    }
    return { ...tool, firstArg: '' };
  }

  #redacted(conversation: ConversationState): ConversationState {
    const isExecuting = this.#view.isExecuting();
    return this.#redactor.redactConversation(conversation, { isExecuting });
  }
}

function openFeed(
  feed: SessionFeed,
  view: SessionView,
  { after, epoch, tail }: ResumePoint,
): Opening {
  const { sessionId } = view;
  const { journal } = feed;
  const current = view.getStreamEpoch();
  const isSameCounting = epoch === undefined || epoch === current;
  const isKnown = after !== undefined && isSameCounting;
  const index = isKnown ? journal.indexOf(parsePosition(after)) : undefined;
  if (index !== undefined) {
    const init = initFrame(view, { epoch: current, ...journal.position });
    return { replies: [init], after: index };
  }
  const snapshot = feed.snapshot(tail);
  const { seq, part } = snapshot;
  const init = initFrame(view, { epoch: current, seq, part });
  const { last } = journal;
  if (after === undefined) return { replies: [init, snapshot], after: last };
  const oldest = formatPosition(journal.oldestPosition);
  const gap = { type: 'gap', session_id: sessionId, after, oldest } as const;
  return { replies: [init, gap, snapshot], after: last };
}

/** Keeps the last blocks of each thread, and counts those before them. */
function withTail(snapshot: Snapshot, tail: number | undefined): Snapshot {
  if (tail === undefined) return snapshot;
  const { conversation } = snapshot;
  const { blocks, subagents } = conversation;
  const cut = (all: readonly ConversationBlock[]) => all.slice(-tail);
  const missing = (all: readonly ConversationBlock[]) => Math.max(0, all.length - tail);
  const threads = subagents.map((thread) => [thread.id, missing(thread.blocks)] as const);
  return {
    ...snapshot,
    conversation: {
      ...conversation,
      blocks: cut(blocks),
      subagents: subagents.map((thread) => ({ ...thread, blocks: cut(thread.blocks) })),
    },
    before: Object.fromEntries([['main', missing(blocks)], ...threads]),
  };
}

function textSincePrompt(blocks: readonly ConversationBlock[]): string {
  const asked = blocks.findLastIndex(({ type }) => type === 'user_message');
  return blocks
    .slice(asked + 1)
    .flatMap((block) => (block.type === 'assistant_text' ? [block.content] : []))
    .join('\n\n');
}
