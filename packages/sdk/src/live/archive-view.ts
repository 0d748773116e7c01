import { setTimeout as delay } from 'node:timers/promises';
import type {
  ArchivedLine,
  Following,
  OpenedArchive,
  SharedArchive,
} from '@robota-sdk/agent-archive';
import { contextWindowState, type EndedBy, getModelLimits } from '@robota-sdk/agent-core';
import {
  type Entry,
  emptySessionState,
  SessionFold,
  summarizeTool,
} from '@robota-sdk/agent-core/log';
import { entryOf, type FellowFold } from '@robota-sdk/agent-session';
import { BlocksFold } from '@robota-sdk/agent-transcript/blocks';
import { EntryEvents, requestOf } from '../interactive/entry-events.ts';
import { EventHub } from '../interactive/event-hub.ts';
import type { SubmitOutcome } from '../interactive/execution-result.ts';
import { announceEnd, announceStart } from '../interactive/turn-runner.ts';
import { openSession } from '../records/open-session.ts';
import { questionOf } from './engine-question.ts';
import type { LiveQuestion } from './live-question.ts';

export interface ArchiveViewParts {
  readonly sessionId: string;
  readonly archive: SharedArchive;
  /** Something came into the inbox of the session or left it. */
  readonly onInbox: () => void;
  /** A turn ended; the message id is that of its prompt, where it has one and was seen here. */
  readonly onTurnEnd: (outcome: SubmitOutcome, messageId: string | undefined) => void;
}

const AGAIN_MS = 500;

/** What an archive knows of a session, kept up to date: the folds of its lines, and the events they tell. */
export class ArchiveView {
  readonly events = new EventHub();
  readonly #parts: ArchiveViewParts;
  readonly #entryEvents: EntryEvents;
  readonly #questions = new Map<string, LiveQuestion>();
  #fold: SessionFold;
  #blocks = new BlocksFold();
  #openedAt = 0;
  #asked: string | undefined;
  #following: Following | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: ArchiveViewParts) {
    this.#parts = parts;
    this.#fold = new SessionFold({ ...emptySessionState(), sessionId: parts.sessionId });
    this.#entryEvents = new EntryEvents({
      events: this.events,
      folds: () => ({ fold: this.#fold, blocks: this.#blocks }),
    });
  }

  get state() {
    return this.#fold.state;
  }

  get conversation() {
    return this.#blocks.state;
  }

  get sequence(): number {
    return Math.max(this.#entryEvents.sequence, this.#openedAt);
  }

  get turn() {
    return this.#entryEvents.turn;
  }

  get isTurnOpen(): boolean {
    return this.#fold.state.turn !== null;
  }

  get context() {
    const { context, model } = this.#fold.state;
    return context ?? contextWindowState(0, getModelLimits(model ?? '').contextWindow);
  }

  /** Asked and not answered. */
  get questions(): readonly LiveQuestion[] {
    return this.#fold.state.questions.map(
      ({ requestId, toolName }) =>
        this.#questions.get(requestId) ?? questionOf({ requestId, toolName, toolArgs: {} }),
    );
  }

  /** Reads what there is, then follows. */
  async open(): Promise<void> {
    const { archive, sessionId } = this.#parts;
    let source: OpenedArchive | undefined;
    const store = {
      open: async (id: string, fellows: readonly FellowFold[] = []) => {
        source = await archive.open(id, [...fellows, this.#questionsFellow()]);
        return source?.saved;
      },
    };
    try {
      const place = { store: store as never, logDirectory: undefined };
      const { fold, blocks } = await openSession(sessionId, place);
      this.#fold = fold;
      this.#blocks = blocks;
      this.#openedAt = fold.state.n;
    } catch (error) {
      // A session in which nobody has said anything yet has nothing but its place.
      if (!source) throw error;
    }
    if (source) this.#follow(source);
  }

  /** When it resolves, everything that was written before the call has been told. */
  async refresh(): Promise<void> {
    await this.#following?.refresh();
    await this.#reading;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#following?.stop();
    await this.#reading;
  }

  #questionsFellow(): FellowFold {
    return {
      name: 'questions',
      restore: () => true,
      apply: (entry) => this.#hearQuestion(entryOf(entry)),
    };
  }

  #follow(source: OpenedArchive): void {
    const { archive, sessionId: id, onInbox } = this.#parts;
    this.#following = archive.follow({
      id,
      after: source.place,
      onLines: (lines) => {
        this.#reading = this.#reading.then(() => this.#read(source, lines));
      },
      onInbox,
      onError: (error) => this.#entryEvents.notice('archive', error.message),
    });
  }

  /** Lines come once: what cannot be read now is read when the archive answers again. */
  async #read(source: OpenedArchive, lines: readonly ArchivedLine[]): Promise<void> {
    for (let attempt = 1; !this.#isClosed; attempt++) {
      try {
        for (const entry of await source.read(lines)) this.#hear(entryOf(entry));
        return;
      } catch (error) {
        if (attempt === 1) this.#entryEvents.notice('archive', (error as Error).message);
        await delay(AGAIN_MS);
      }
    }
  }

  #hear(entry: Entry): void {
    if (entry.event === 'prompt') this.#begin(entry);
    this.#hearQuestion(entry);
    this.#fold.apply(entry);
    this.#entryEvents.hear(entry);
    if (entry.event === 'turn_end') this.#end(entry);
  }

  #begin({ display, user, messageId }: Entry): void {
    this.#asked = typeof messageId === 'string' ? messageId : undefined;
    const prompt = {
      content: String(display),
      user: typeof user === 'string' ? user : undefined,
      messageId: this.#asked,
    };
    announceStart(prompt, this.events);
  }

  #end(entry: Entry): void {
    const outcome = this.#outcomeOf(entry);
    const asked = this.#asked;
    this.#asked = undefined;
    announceEnd(outcome, this.events);
    this.#parts.onTurnEnd(outcome, asked);
  }

  #hearQuestion(entry: Entry): void {
    if (entry.event === 'permission_request') {
      const question = questionOf(requestOf(entry), entry.thread);
      this.#questions.set(question.id, question);
    }
    if (entry.event === 'permission_resolved') this.#questions.delete(String(entry.requestId));
  }

  #outcomeOf({ status, endedBy, response, message, code }: Entry): SubmitOutcome {
    const how = (endedBy ?? 'error') as EndedBy;
    if (status === 'completed' || status === 'interrupted') {
      const { turn } = this.#entryEvents;
      const usage = turn && this.#fold.turnUsage(turn);
      const result = {
        response: typeof response === 'string' ? response : (turn?.text ?? ''),
        history: [...this.#fold.state.timeline],
        toolSummaries: (turn?.finished ?? []).map(summarizeTool),
        contextState: this.context,
        ...(usage && { usage }),
        endedBy: how,
      };
      return { status, result };
    }
    const error = Object.assign(new Error(String(message ?? 'The turn failed.')), { code });
    return { status: 'failed', error, endedBy: how };
  }
}
