import type { Entry } from '@robota-sdk/agent-core/log';
import { isFenced } from './session-error.ts';

/**
 * Tells entries in the order of their numbers where some of them have to be written first: what comes after one
 * that is still being written waits for it. Where nothing is being written it tells at once. Once the session is
 * lost to another writer nothing is told any more.
 */
export class TellingOrder {
  readonly #tell: (entry: Entry) => void;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;
  #loss: { readonly error: unknown } | undefined;

  constructor(tell: (entry: Entry) => void) {
    this.#tell = tell;
  }

  /** Whether what is appended now may be told at once. */
  get isAtOnce(): boolean {
    return this.#waiting === 0 && this.#loss === undefined;
  }

  tell(entry: Entry): void {
    if (this.#loss) return;
    if (this.#waiting === 0) this.#tell(entry);
    else void this.#then(() => this.#tell(entry));
  }

  /** Rejects when the entry may not be written; then it is not told, nor anything after it. */
  tellAfter(written: Promise<void>, entry: Entry): Promise<void> {
    return this.#then(() => this.#tell(entry), written);
  }

  /** Something without an entry of its own is being written. */
  after(written: Promise<void>): Promise<void> {
    return this.#then(() => undefined, written);
  }

  /** False once everything has been told. */
  get isTelling(): boolean {
    return this.#waiting > 0;
  }

  /** Settles when nothing waits any more; rejects once the session is lost. */
  async idle(): Promise<void> {
    await this.#last;
    if (this.#loss) throw this.#loss.error;
  }

  #then(step: () => void, written?: Promise<void>): Promise<void> {
    this.#waiting += 1;
    // The step hears of it in its turn; until then nobody listens.
    written?.catch(() => undefined);
    const done = this.#last.then(async () => {
      if (this.#loss) throw this.#loss.error;
      await written;
      step();
    });
    // Whoever does not wait for an entry is not ended by its loss.
    this.#last = done.catch((error: unknown) => {
      if (isFenced(error)) this.#loss ??= { error };
    });
    void this.#last.then(() => {
      this.#waiting -= 1;
    });
    return done;
  }
}
