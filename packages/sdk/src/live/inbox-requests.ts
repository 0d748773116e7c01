import { randomUUID } from 'node:crypto';
import type { InboxEnd, InboxItem, InboxReceipt, SharedArchive } from '@robota-sdk/agent-archive';

export interface InboxRequestsParts {
  readonly sessionId: string;
  readonly archive: SharedArchive;
  /** A request is pending, so a node should run the session. */
  readonly onAsked: () => void;
  /** Called when an item is stored; the next one is sent once this resolves. */
  readonly onSent: () => Promise<void>;
}

type InboxRequest = Omit<InboxItem, 'messageId'> & { readonly messageId?: string | undefined };

interface SentRequest {
  readonly receipt: InboxReceipt;
  readonly ended: Promise<InboxEnd>;
}

/** Requests sent to a session through its inbox that have not ended. */
export class InboxRequests {
  readonly #parts: InboxRequestsParts;
  readonly #open = new Map<
    string,
    { settle: (end: InboxEnd) => void; promise: Promise<InboxEnd> }
  >();
  #checking: Promise<void> | undefined;
  #sending: Promise<unknown> = Promise.resolve();
  #isDirty = false;

  constructor(parts: InboxRequestsParts) {
    this.#parts = parts;
  }

  /**
   * Resolves when the item is stored; `ended` resolves when it has ended on any node. Items keep the order in which they
   * were sent.
   */
  send(item: InboxRequest): Promise<SentRequest> {
    const sent = this.#sending.then(() => this.#send(item));
    this.#sending = sent.then(this.#parts.onSent, () => undefined);
    return sent;
  }

  async #send(item: InboxRequest): Promise<SentRequest> {
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

  /** Checks the receipts of all open requests; a call during a check makes it run again. */
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

  /** Stops waiting; the requests still run. */
  stopWaiting(): void {
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
          // The next check finds it.
          return;
        }
      }
    }
  }
}
