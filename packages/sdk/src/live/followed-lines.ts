import { setTimeout as delay } from 'node:timers/promises';
import type {
  ArchivedLine,
  Following,
  OpenedArchive,
  SharedArchive,
} from '@robota-sdk/agent-archive';
import type { Entry } from '@robota-sdk/agent-core/log';
import { entryOf } from '@robota-sdk/agent-session';

export interface FollowedLinesParts {
  readonly sessionId: string;
  readonly archive: SharedArchive;
  readonly onEntry: (entry: Entry) => void;
  /** An item was added to or removed from the session's inbox. */
  readonly onInbox: () => void;
  readonly onRemoved: () => void;
  readonly onProblem: (message: string) => void;
}

const RETRY_MS = 500;

/** Follows an archived session's lines as entries: each once, in order, on whichever node it runs. */
export class FollowedLines {
  readonly #parts: FollowedLinesParts;
  #following: Following | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: FollowedLinesParts) {
    this.#parts = parts;
  }

  /** Continues from where the session was opened. */
  begin(source: OpenedArchive): void {
    const { archive, sessionId: id, onInbox, onRemoved, onProblem } = this.#parts;
    this.#following = archive.follow({
      id,
      after: source.place,
      onLines: (lines) => {
        this.#reading = this.#reading.then(() => this.#read(source, lines));
      },
      onInbox,
      onRemoved,
      onError: (error) => onProblem(error.message),
    });
  }

  /** When it resolves, everything written before the call has been emitted. */
  async refresh(): Promise<void> {
    await this.#following?.refresh();
    await this.#reading;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#following?.stop();
    await this.#reading;
  }

  /** Lines are delivered once, so reading is retried until the archive responds. */
  async #read(source: OpenedArchive, lines: readonly ArchivedLine[]): Promise<void> {
    const { onEntry, onProblem } = this.#parts;
    for (let attempt = 1; !this.#isClosed; attempt++) {
      try {
        for (const entry of await source.read(lines)) onEntry(entryOf(entry));
        return;
      } catch (error) {
        if (attempt === 1) onProblem((error as Error).message);
        await delay(RETRY_MS);
      }
    }
  }
}
