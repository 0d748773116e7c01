import { randomUUID } from 'node:crypto';
import type { InboxEnd, InboxItem, InboxReceipt, SharedArchive } from '@robota-sdk/agent-archive';

export interface ErrandsParts {
  readonly sessionId: string;
  readonly archive: SharedArchive;
  /** Something was asked of the session: whoever can run it may begin. */
  readonly onAsked: () => void;
  /** Called when an item is kept; the next one is sent when this has resolved. */
  readonly onSent: () => Promise<void>;
}

type Errand = Omit<InboxItem, 'messageId'> & { readonly messageId?: string | undefined };

interface SentErrand {
  readonly receipt: InboxReceipt;
  readonly ended: Promise<InboxEnd>;
}

/** What was asked of a session through its inbox and has not ended yet. */
export class ArchiveErrands {
  readonly #parts: ErrandsParts;
  readonly #open = new Map<
    string,
    { settle: (end: InboxEnd) => void; promise: Promise<InboxEnd> }
  >();
  #checking: Promise<void> | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #isDirty = false;

  constructor(parts: ErrandsParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the item is kept; `ended` settles when it has ended, wherever that is. Items of one sender come in
   * the order in which they were sent.
   */
  send(item: Errand): Promise<SentErrand> {
    const sent = this.#sending.then(() => this.#send(item));
    this.#sending = sent.then(this.#parts.onSent, () => undefined);
    return sent;
  }

  async #send(item: Errand): Promise<SentErrand> {
    const { archive, sessionId, onAsked } = this.#parts;
    const messageId = item.messageId ?? randomUUID();
    const ended = this.#wait(messageId);
    try {
      const receipt = await archive.submit(sessionId, { ...item, messageId });
      if (receipt.ended) this.settle(messageId, receipt.ended);
      else onAsked();
      return { receipt, ended };
    } catch (error) {
      this.#open.delete(messageId);
      throw error;
    }
  }

  /** Looks at what became of everything that is open; what comes meanwhile is looked at afterwards. */
  check(): Promise<void> {
    this.#isDirty = true;
    this.#checking ??= this.#check().finally(() => {
      this.#checking = undefined;
    });
    return this.#checking;
  }

  settle(messageId: string, end: InboxEnd): void {
    const open = this.#open.get(messageId);
    this.#open.delete(messageId);
    open?.settle(end);
  }

  /** Nobody waits here any more; what was asked is done all the same. */
  leave(): void {
    for (const messageId of [...this.#open.keys()]) {
      this.settle(messageId, { status: 'interrupted', response: '' });
    }
  }

  #wait(messageId: string): Promise<InboxEnd> {
    const known = this.#open.get(messageId);
    if (known) return known.promise;
    let settle: (end: InboxEnd) => void = () => undefined;
    const promise = new Promise<InboxEnd>((resolve) => {
      settle = resolve;
    });
    this.#open.set(messageId, { settle, promise });
    return promise;
  }

  async #check(): Promise<void> {
    const { archive, sessionId } = this.#parts;
    while (this.#isDirty) {
      this.#isDirty = false;
      for (const messageId of [...this.#open.keys()]) {
        try {
          const receipt = await archive.receipt(sessionId, messageId);
          if (receipt?.ended) this.settle(messageId, receipt.ended);
        } catch {
          // The next look finds it.
          return;
        }
      }
    }
  }
}
