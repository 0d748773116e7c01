import {
  RemoteServer,
  RemoteSession,
  type RemoteSessionOptions,
} from '@robota-sdk/agent-transport/client';
import { WebSocket } from 'ws';

type Address = Pick<RemoteSessionOptions, 'url' | 'token'>;

const PROMPTS = ['say something long', 'list files in .', 'think about tests', 'make a plan'];
/** Prompts between two compactions. */
const PROMPTS_BETWEEN_COMPACTIONS = 20;
/** Prompts per session; the next session is new, so remaining growth is not conversation. */
const PROMPTS_IN_A_SESSION = 60;

/** Runs sessions one after another: prompts, followers joining and leaving. */
export class BusySeat {
  readonly #address: Address;
  readonly #server: RemoteServer;
  readonly #followerCount: number;
  #id = '';
  #followers: RemoteSession[] = [];
  prompts = 0;
  reconnects = 0;
  compactions = 0;
  sessions = 0;
  comparisons = 0;

  constructor(address: Address, followerCount: number) {
    this.#address = address;
    this.#server = new RemoteServer(address);
    this.#followerCount = followerCount;
  }

  /** Runs until `isOver`; throws when a follower sees a different conversation. */
  async run(isOver: () => boolean): Promise<void> {
    while (!isOver()) await this.#runSession(isOver);
  }

  async #runSession(isOver: () => boolean): Promise<void> {
    this.#id = await this.#server.createSession({});
    this.sessions += 1;
    const asking = this.#join();
    this.#followers = Array.from({ length: this.#followerCount }, () => this.#join());
    try {
      await Promise.all([asking, ...this.#followers].map((session) => session.whenReady()));
      for (let asked = 1; asked <= PROMPTS_IN_A_SESSION && !isOver(); asked++) {
        await this.#ask(asking);
        if (asked % PROMPTS_BETWEEN_COMPACTIONS === 0) await this.#compact(asking);
        await this.#compare(asking);
      }
    } finally {
      for (const session of [asking, ...this.#followers]) session.close();
    }
    await this.#server.deleteSession(this.#id);
  }

  async #ask(asking: RemoteSession): Promise<void> {
    const answered = asking.submit(PROMPTS[this.prompts % PROMPTS.length] ?? '');
    await this.#replaceFollower();
    const outcome = await answered;
    if (outcome.status !== 'completed') throw new Error(`A prompt ended as ${outcome.status}.`);
    this.prompts += 1;
  }

  async #compact(asking: RemoteSession): Promise<void> {
    await asking.compact();
    this.compactions += 1;
  }

  /** One follower leaves during an answer, another joins. */
  async #replaceFollower(): Promise<void> {
    const [leaves, ...stay] = this.#followers;
    leaves?.close();
    const comes = this.#join();
    await comes.whenReady();
    this.#followers = [...stay, comes];
    this.reconnects += 1;
  }

  async #compare(asking: RemoteSession): Promise<void> {
    const wanted = asking.getLastSequence();
    for (const follower of this.#followers) {
      await reached(follower, wanted);
      const [ours, theirs] = [blocksOf(asking), blocksOf(follower)];
      if (ours !== theirs) throw new Error(`A follower of ${this.#id} sees another conversation.`);
      this.comparisons += 1;
    }
  }

  #join(): RemoteSession {
    return new RemoteSession({ ...this.#address, sessionId: this.#id, WebSocket });
  }
}

function blocksOf(session: RemoteSession): string {
  return JSON.stringify(session.getConversation().blocks);
}

/** Events that may be the last of a turn or compaction. */
const LAST_EVENTS = [
  ...(['stream_event', 'turn_end', 'state', 'thinking', 'queue'] as const),
  ...(['context_update', 'compact', 'notice', 'resync'] as const),
];

/** Followers receive events a little later than the client that prompts. */
async function reached(session: RemoteSession, sequence: number): Promise<void> {
  if (session.getLastSequence() >= sequence) return;
  await new Promise<void>((resolve) => {
    const look = () => {
      if (session.getLastSequence() < sequence) return;
      for (const name of LAST_EVENTS) session.off(name, look);
      resolve();
    };
    for (const name of LAST_EVENTS) session.on(name, look);
  });
}
