import { redact, type SessionView, StreamEventRedactor } from '@robota-sdk/agent-sdk';
import {
  applyStreamEvent,
  type ConversationBlock,
  type ConversationState,
} from '@robota-sdk/agent-transcript';
import type { Reply, ResumePoint, Snapshot } from '../protocol.ts';
import { EventJournal, type NewEvent } from './event-journal.ts';
import { formatPosition, parsePosition } from './event-position.ts';
import { initFrame, snapshotFacts } from './session-frames.ts';

/** A client's beginning: what it is told first, and after which place of the journal events follow. */
export interface Opening {
  readonly replies: readonly Reply[];
  readonly after: number;
}

/** What one kind of client is told of a session. */
export interface SessionFeed {
  readonly journal: EventJournal;
  /** The facts, then a snapshot unless everything after the client's number is still known. */
  open(resume: ResumePoint): Opening;
  snapshot(tail?: number): Snapshot;
  conversation(): ConversationState;
}

/** Everything, for those who may do something. */
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
    // Looking at the conversation may bring events about, so the number is read afterwards.
    const facts = snapshotFacts(this.#view);
    const epoch = this.#view.getStreamEpoch();
    return withTail({ ...facts, epoch, ...this.journal.position }, tail);
  }
}

/** The same events under the same numbers without secrets, for those who may only read. */
export class ReaderFeed implements SessionFeed {
  readonly journal: EventJournal;
  readonly #view: SessionView;
  readonly #redactor = new StreamEventRedactor();
  #conversation: ConversationState;

  /** Begins where the full journal is now; who was told earlier numbers gets a snapshot. */
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
    // A snapshot has no secrets already; a name may have one.
    return { replies: replies.map((each) => (each.type === 'init' ? redact(each) : each)), after };
  }

  conversation(): ConversationState {
    return this.#conversation;
  }

  snapshot(tail?: number): Snapshot {
    const { conversation: _whole, ...facts } = snapshotFacts(this.#view);
    const conversation = this.#conversation;
    const epoch = this.#view.getStreamEpoch();
    const place = { epoch, ...this.journal.position };
    const text = spokenSincePrompt(conversation.blocks);
    return withTail({ ...redact(facts), streaming_text: text, conversation, ...place }, tail);
  }

  #redact(event: NewEvent): NewEvent {
    if (event.type === 'resync') {
      this.#conversation = this.#redacted(event.conversation);
      return { ...event, conversation: this.#conversation };
    }
    if (event.type !== 'stream_event') return redact(event);
    const shown = this.#redactor.redactEvent(event.event);
    this.#conversation = applyStreamEvent(this.#conversation, shown);
    return { ...event, event: shown };
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

/** The last blocks of each thread, with how many stand before them. */
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

function spokenSincePrompt(blocks: readonly ConversationBlock[]): string {
  const asked = blocks.findLastIndex(({ type }) => type === 'user_message');
  return blocks
    .slice(asked + 1)
    .flatMap((block) => (block.type === 'assistant_text' ? [block.content] : []))
    .join('\n\n');
}
