import { RemoteSession, type RemoteSessionOptions } from '@robota-sdk/agent-transport/client';
import { WebSocket } from 'ws';

type Address = Pick<RemoteSessionOptions, 'url' | 'token'>;

const PROMPTS = ['say something long', 'list files in .', 'think about tests', 'make a plan'];
/** A conversation is made short again after so many prompts. */
const PROMPTS_BETWEEN_COMPACTIONS = 20;

/** One session that is asked, followed and left again, over and over. */
export class BusySession {
  readonly #address: Address;
  readonly #id: string;
  readonly #asking: RemoteSession;
  #followers: RemoteSession[] = [];
  prompts = 0;
  reconnects = 0;
  compactions = 0;

  constructor(address: Address, id: string, followers: number) {
    this.#address = address;
    this.#id = id;
    this.#asking = this.#join();
    this.#followers = Array.from({ length: followers }, () => this.#join());
  }

  /** Goes on until `isOver`; throws when a follower sees something else than the one who asks. */
  async run(isOver: () => boolean): Promise<void> {
    await Promise.all([this.#asking, ...this.#followers].map((session) => session.whenReady()));
    while (!isOver()) {
      const text = PROMPTS[this.prompts % PROMPTS.length] ?? '';
      const answered = this.#asking.submit(text);
      await this.#replaceFollower();
      const outcome = await answered;
      if (outcome.status !== 'completed') throw new Error(`A prompt ended as ${outcome.status}.`);
      this.prompts += 1;
      if (this.prompts % PROMPTS_BETWEEN_COMPACTIONS === 0) await this.#compact();
      await this.#compare();
    }
  }

  close(): void {
    for (const session of [this.#asking, ...this.#followers]) session.close();
  }

  async #compact(): Promise<void> {
    await this.#asking.compact();
    this.compactions += 1;
  }

  /** One leaves in the middle of an answer, another comes. */
  async #replaceFollower(): Promise<void> {
    const [leaves, ...stay] = this.#followers;
    leaves?.close();
    const comes = this.#join();
    await comes.whenReady();
    this.#followers = [...stay, comes];
    this.reconnects += 1;
  }

  async #compare(): Promise<void> {
    const wanted = this.#asking.getLastSequence();
    for (const follower of this.#followers) {
      await reached(follower, wanted);
      const [ours, theirs] = [blocksOf(this.#asking), blocksOf(follower)];
      if (ours !== theirs) throw new Error(`A follower of ${this.#id} sees another conversation.`);
    }
  }

  #join(): RemoteSession {
    return new RemoteSession({ ...this.#address, sessionId: this.#id, WebSocket });
  }
}

function blocksOf(session: RemoteSession): string {
  return JSON.stringify(session.getConversation().blocks);
}

/** Whatever may be the last thing that a turn or a compaction tells. */
const TOLD = [
  ...(['stream_event', 'turn_end', 'state', 'thinking', 'queue'] as const),
  ...(['context_update', 'compact', 'notice', 'resync'] as const),
];

/** A follower hears a little later than the one who asks. */
async function reached(session: RemoteSession, sequence: number): Promise<void> {
  if (session.getLastSequence() >= sequence) return;
  await new Promise<void>((resolve) => {
    const look = () => {
      if (session.getLastSequence() < sequence) return;
      for (const name of TOLD) session.off(name, look);
      resolve();
    };
    for (const name of TOLD) session.on(name, look);
  });
}
