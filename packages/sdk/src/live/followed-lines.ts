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
  /** Something came into the inbox of the session or left it. */
  readonly onInbox: () => void;
  readonly onProblem: (message: string) => void;
}

const AGAIN_MS = 500;

/** What is written to a session of an archive, wherever it runs, as entries: each once, in order. */
export class FollowedLines {
  readonly #parts: FollowedLinesParts;
  #following: Following | undefined;
  #reading: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(parts: FollowedLinesParts) {
    this.#parts = parts;
  }

  /** Reads on from where the session was opened. */
  begin(source: OpenedArchive): void {
    const { archive, sessionId: id, onInbox, onProblem } = this.#parts;
    this.#following = archive.follow({
      id,
      after: source.place,
      onLines: (lines) => {
        this.#reading = this.#reading.then(() => this.#read(source, lines));
      },
      onInbox,
      onError: (error) => onProblem(error.message),
    });
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

  /** Lines come once: what cannot be read now is read when the archive answers again. */
  async #read(source: OpenedArchive, lines: readonly ArchivedLine[]): Promise<void> {
    const { onEntry, onProblem } = this.#parts;
    for (let attempt = 1; !this.#isClosed; attempt++) {
      try {
        for (const entry of await source.read(lines)) onEntry(entryOf(entry));
        return;
      } catch (error) {
        if (attempt === 1) onProblem((error as Error).message);
        await delay(AGAIN_MS);
      }
    }
  }
}
