import type { SessionClaim, SharedArchive } from '@robota-sdk/agent-archive';
import { entryOf, type LogSink, redactText } from '@robota-sdk/agent-session';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';
import { diffConversation } from '@robota-sdk/agent-transcript/blocks';
import { StreamEventRedactor } from '../interactive/stream-event-redactor.ts';
import { AGENT_CONVERSATION, AGENT_EVENTS, AgentFacts } from './agent-facts.ts';
import type { AgentJournal, JournalFields } from './agent-journal.ts';

/** Stream events within this many milliseconds are written as one line. */
const BATCH_MS = 15;
/** Characters written before the end of a turn saves a checkpoint. */
const CHECKPOINT_LENGTH = 256 * 1024;
const CUT_OFF =
  'The node that drove this session ended in the middle of the turn. What its program did last may be missing here; look before you ask again.';

/**
 * The journal of a session that nodes share: it holds everything that surfaces on other nodes show, written under the
 * claim of the node that drives the program. Secrets are redacted here, but not in the program's own transcript.
 */
export class AgentLines implements AgentJournal {
  readonly isKept = true;
  readonly #claim: SessionClaim;
  readonly #sink: LogSink;
  readonly #facts: AgentFacts;
  readonly #redactor = new StreamEventRedactor();
  #last: number;
  #pending: StreamEvent[] = [];
  #timer: NodeJS.Timeout | undefined;
  #written: Promise<void> = Promise.resolve();
  /** Characters written since the last checkpoint or since opening. */
  #length = 0;

  private constructor(claim: SessionClaim, sink: LogSink, facts: AgentFacts) {
    this.#claim = claim;
    this.#sink = sink;
    this.#facts = facts;
    this.#last = sink.lastNumber;
  }

  /** Reads what previous nodes have written. */
  static async open(claim: SessionClaim, archive: SharedArchive): Promise<AgentLines> {
    const facts = new AgentFacts();
    await archive.open(claim.id, [factsFellow(facts)]);
    const sink = claim.logger.openSink?.(claim.id);
    if (!sink) throw new Error(`Session ${claim.id} cannot be written under its claim`);
    return new AgentLines(claim, sink, facts);
  }

  get last(): number {
    return this.#last;
  }

  append(event: string, fields: JournalFields, details: JournalFields = {}): number {
    this.#flush();
    const text = redactText(JSON.stringify({ ...fields, ...details }));
    const n = this.#write(event, JSON.parse(text) as JournalFields);
    if (event === 'turn_end') this.#checkpoint();
    return n;
  }

  record(event: StreamEvent): number {
    this.#pending.push(this.#redactor.redactEvent(event));
    this.#timer ??= setTimeout(() => this.#flush(), BATCH_MS);
    return this.#last + 1;
  }

  replaced(conversation: ConversationState): number {
    this.#flush();
    const isExecuting = this.#facts.turn !== undefined;
    const shown = this.#redactor.redactConversation(conversation, { isExecuting });
    return this.#write(AGENT_CONVERSATION, { conversation: shown });
  }

  /** Settles what the previous node left open: its questions, missing parts of the conversation, and its turn. */
  opened(conversation: ConversationState): void {
    this.#settleQuestions();
    const now = this.#redactor.redactConversation(conversation, { isExecuting: false });
    const { events, isWhole } = diffConversation(this.#facts.conversation, now);
    if (!isWhole) this.#write(AGENT_CONVERSATION, { conversation: now });
    else if (events.length > 0) this.#write(AGENT_EVENTS, { events });
    this.#endTurn(CUT_OFF);
  }

  /** The session cannot be opened here: an open turn still ends, with the reason. */
  async abandon(reason: string): Promise<void> {
    const message = `${CUT_OFF} It cannot go on here: ${reason}`;
    if (this.#facts.turn === undefined) {
      const why = `This session cannot go on at this node: ${reason}`;
      this.append('notice', { kind: 'agent', message: why });
    }
    this.#settleQuestions();
    this.#endTurn(message);
    await this.written();
  }

  async written(): Promise<void> {
    this.#flush();
    await this.#written;
  }

  close(): void {
    this.#flush();
  }

  #settleQuestions(): void {
    for (const requestId of [...this.#facts.questions.keys()]) {
      const fields = { requestId, answer: false, by: 'abort', how: 'expired' };
      this.#write('permission_resolved', fields);
    }
  }

  #endTurn(message: string): void {
    if (this.#facts.turn === undefined) return;
    const fields = { status: 'failed', endedBy: 'error', code: 'process_ended', message };
    this.#write('turn_end', fields);
  }

  #flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const events = mergeDeltas(this.#pending.splice(0));
    if (events.length > 0) this.#write(AGENT_EVENTS, { events });
  }

  #write(event: string, fields: JournalFields): number {
    this.#last += 1;
    const line = { n: this.#last, t: Date.now(), event, ...fields };
    this.#facts.apply({ ...line, time: line.t });
    this.#length += JSON.stringify(line).length;
    const kept = this.#sink.append(`${JSON.stringify(this.#sink.shrink(line))}\n`);
    // `written` reports a failure, and the claim reports it to the node.
    this.#written = Promise.all([this.#written, kept]).then(() => undefined);
    this.#written.catch(() => undefined);
    return this.#last;
  }

  /** Keeps the time to open a session independent of its length. */
  #checkpoint(): void {
    const bytes = this.#sink.size();
    if (bytes === undefined || this.#length < CHECKPOINT_LENGTH) return;
    this.#length = 0;
    const { id, card, records } = this.#claim;
    const at = new Date().toISOString();
    const saved = records.save({
      id,
      cwd: typeof card.cwd === 'string' ? card.cwd : '',
      createdAt: at,
      updatedAt: at,
      messages: [],
      history: [],
      log: { n: this.#last, bytes },
      folds: { [FACTS]: this.#facts.save() },
    });
    // Without a checkpoint the next opening only reads more lines.
    void Promise.resolve(saved).catch(() => undefined);
  }
}

const FACTS = 'agent';

/** The fold that lets an archive apply its lines to the facts. */
export function factsFellow(facts: AgentFacts) {
  return {
    name: FACTS,
    restore: (checkpoint: unknown) => facts.restore(checkpoint),
    apply: (entry: Parameters<typeof entryOf>[0]) => facts.apply(entryOf(entry)),
  };
}

/** Merges consecutive deltas of one text. */
function mergeDeltas(events: readonly StreamEvent[]): StreamEvent[] {
  const merged: StreamEvent[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    const isSame =
      event.type === 'text_delta' &&
      last?.type === 'text_delta' &&
      last.blockId === event.blockId &&
      last.conversationId === event.conversationId;
    if (isSame) merged[merged.length - 1] = { ...last, delta: last.delta + event.delta };
    else merged.push(event);
  }
  return merged;
}
