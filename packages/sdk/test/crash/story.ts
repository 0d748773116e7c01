import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { PostgresArchive } from '@robota-sdk/agent-archive/postgres';
import postgres from 'postgres';
import { buildNode, CrashNode, scratch } from './crew.ts';
import { type Evidence, judge, type Violation } from './judge.ts';
import { ACKNOWLEDGED_EARLY_MS, type NodeStart, type Order, type Property } from './order.ts';

export interface StoryOptions {
  readonly kills: number;
  readonly seed: number;
  /** A database; without one, files. */
  readonly url?: string | undefined;
  readonly bug?: Property | undefined;
  /** The program of a node; made for this story when left out. */
  readonly program?: string | undefined;
  readonly say?: ((line: string) => void) | undefined;
}

export interface StoryReport {
  readonly kills: number;
  readonly acknowledged: number;
  readonly lines: number;
  readonly effects: number;
  readonly violations: readonly Violation[];
}

const SESSIONS = 4;
const TTL_MS = 1_500;
const LOOK_MS = 150;
/** Longer than a turn and a take-over. */
const ANSWER_MS = 4_000;

/** Nodes run sessions while they are killed one after the other; then everything that is left is judged. */
export async function tellStory(options: StoryOptions): Promise<StoryReport> {
  const place = scratch();
  const built = options.program === undefined ? await buildNode() : undefined;
  const program = options.program ?? built?.file ?? '';
  const schema = `robota_crash_${crypto.randomUUID().replaceAll('-', '')}`;
  const story = new Story(options, { program, directory: place.directory, schema });
  try {
    return await story.tell();
  } finally {
    await story.end();
    built?.remove();
    place.remove();
  }
}

interface StoryPlace {
  readonly program: string;
  readonly directory: string;
  readonly schema: string;
}

class Story {
  readonly #options: StoryOptions;
  readonly #place: StoryPlace;
  readonly #random: () => number;
  readonly #nodes: CrashNode[] = [];
  readonly #ids = Array.from({ length: SESSIONS }, (_unused, index) => `s${index}`);
  readonly #acknowledged = new Map<string, string[]>();
  #isAsking = true;
  #names = 0;

  constructor(options: StoryOptions, place: StoryPlace) {
    this.#options = options;
    this.#place = place;
    this.#random = randomFrom(options.seed);
  }

  async tell(): Promise<StoryReport> {
    await this.#prepare();
    const count = this.#options.url === undefined ? 1 : 3;
    for (let index = 0; index < count; index++) this.#nodes.push(this.#begin());
    await Promise.all(this.#nodes.map(({ ready }) => ready));
    for (const id of this.#ids) await this.#nodes[0]?.tell({ type: 'create', id });
    const asking = this.#ids.map((id) => this.#ask(id));
    await this.#killAll();
    this.#isAsking = false;
    await Promise.all(asking);
    await this.#untilEnded();
    return this.#report();
  }

  async end(): Promise<void> {
    this.#isAsking = false;
    await Promise.all(this.#nodes.map((node) => node.kill()));
    const { url } = this.#options;
    if (url === undefined) return;
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    await sql.unsafe(`DROP SCHEMA IF EXISTS "${this.#place.schema}" CASCADE`);
    await sql.end();
  }

  async #prepare(): Promise<void> {
    const { url } = this.#options;
    if (url === undefined) return;
    const archive = new PostgresArchive({ url, schema: this.#place.schema });
    await archive.migrate();
    await archive.close();
  }

  #begin(): CrashNode {
    const { directory, program, schema } = this.#place;
    const { url, bug } = this.#options;
    this.#names += 1;
    const start: NodeStart = {
      name: `n${this.#names}`,
      directory,
      effects: join(directory, 'effects'),
      refusals: join(directory, 'refusals'),
      database: url === undefined ? undefined : { url, schema },
      ttlMs: TTL_MS,
      lookMs: LOOK_MS,
      bug,
    };
    return new CrashNode(program, start);
  }

  /** One prompt after another, each sent again under its id until somebody says that it is kept. */
  async #ask(id: string): Promise<void> {
    const acknowledged: string[] = [];
    this.#acknowledged.set(id, acknowledged);
    for (let number = 1; this.#isAsking; number++) {
      const messageId = `${id}-${number}`;
      while (this.#isAsking && !(await this.#sent(id, messageId))) await delay(20);
      if (this.#isAsking) acknowledged.push(messageId);
      await this.#untilAnswered(id, messageId);
    }
  }

  /** Two of three prompts are waited for, so that some wait in the inbox and not ever more do. */
  async #untilAnswered(id: string, messageId: string): Promise<void> {
    if (this.#random() < 1 / 3) return;
    // Whoever asks for its outcome keeps the prompt, and that would hide the bug.
    if (this.#options.bug === 'prefix') return delay(ACKNOWLEDGED_EARLY_MS);
    const waited = new AbortController();
    const patience = delay(ANSWER_MS, undefined, { signal: waited.signal });
    const answer = this.#any().tell({ type: 'outcome', id, messageId });
    await Promise.race([answer, patience]).catch(() => undefined);
    waited.abort();
    patience.catch(() => undefined);
  }

  async #sent(id: string, messageId: string): Promise<boolean> {
    try {
      const node = this.#any();
      await node.ready;
      await node.tell({ type: 'submit', id, messageId });
      return true;
    } catch {
      return false;
    }
  }

  async #killAll(): Promise<void> {
    const { kills, say, bug } = this.#options;
    for (let killed = 0; killed < kills; killed++) {
      await this.#untilBusy();
      if (bug === 'effects' || bug === 'recovery') await this.#untilToolRuns();
      else await delay(150 * this.#random());
      const ready = this.#nodes.filter(({ isReady }) => isReady);
      const victim = ready[Math.floor(this.#random() * ready.length)];
      if (!victim) continue;
      await victim.kill();
      this.#nodes[this.#nodes.indexOf(victim)] = this.#begin();
      if ((killed + 1) % 5 === 0) say?.(`${killed + 1} kills`);
    }
  }

  /** Something was asked since the last kill, and on a database somebody is left to take over. */
  async #untilBusy(): Promise<void> {
    const enough = this.#options.url === undefined ? 1 : 2;
    const before = this.#count();
    const isBusy = () =>
      this.#nodes.filter(({ isReady }) => isReady).length >= enough && this.#count() > before;
    while (!isBusy()) await delay(10);
  }

  /** Bugs in what is done about a call that had begun show where a kill falls into one. */
  async #untilToolRuns(): Promise<void> {
    const before = this.#left('effects').length;
    while (this.#left('effects').length === before) await delay(5);
  }

  #count(): number {
    return [...this.#acknowledged.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Everything that was acknowledged ends, now that nobody is killed any more. */
  async #untilEnded(): Promise<void> {
    await Promise.all(this.#nodes.map(({ ready }) => ready));
    const { bug } = this.#options;
    for (const [id, messages] of this.#acknowledged) {
      if (bug === 'prefix') {
        await this.#any().tell({ type: 'outcome', id, messageId: `${id}-last` });
        continue;
      }
      for (const messageId of messages) await this.#any().tell({ type: 'outcome', id, messageId });
    }
  }

  async #report(): Promise<StoryReport> {
    const { kills } = this.#options;
    const sessions: Evidence[] = [];
    for (const id of this.#ids) {
      const lines = await this.#lines(id);
      const forks = [
        await this.#told({ type: 'fork', id }, 0),
        await this.#told({ type: 'fork', id }, this.#nodes.length - 1),
      ];
      const opened = await this.#told({ type: 'opened', id }, 0);
      sessions.push({ id, lines, acknowledged: this.#acknowledged.get(id) ?? [], forks, opened });
    }
    const effects = this.#left('effects');
    return {
      kills,
      acknowledged: this.#count(),
      lines: sessions.reduce((sum, { lines }) => sum + lines.length, 0),
      effects: effects.length,
      violations: judge(sessions, { effects, refusals: this.#left('refusals') }),
    };
  }

  /** A node that is short of time may lose its lease on the way; then it is asked again. */
  async #told(order: Order, index: number): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#nodes[index]?.tell(order);
      } catch (error) {
        if (attempt === 10) throw error;
        await delay(TTL_MS / 2);
      }
    }
  }

  /** The lines that processes have left in a file. */
  #left(name: string): readonly string[] {
    const file = join(this.#place.directory, name);
    return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  }

  async #lines(id: string): Promise<Evidence['lines']> {
    const { url } = this.#options;
    if (url === undefined) {
      const file = join(this.#place.directory, 'home', 'logs', `${id}.jsonl`);
      const texts = readFileSync(file, 'utf8').split('\n').filter(Boolean);
      return texts.map((text, index) => ({ text, place: index + 1, fence: 0 }));
    }
    const sql = postgres(url, { max: 1, onnotice: () => undefined });
    const rows = await sql.unsafe(
      `SELECT seq::int AS place, fence::int, data AS text FROM "${this.#place.schema}".event
        WHERE sid = (SELECT sid FROM "${this.#place.schema}".session WHERE id = $1) ORDER BY seq`,
      [id],
    );
    await sql.end();
    return rows as unknown as Evidence['lines'];
  }

  #any(): CrashNode {
    const living = this.#nodes.filter(({ isReady }) => isReady);
    const node = living[Math.floor(this.#random() * living.length)] ?? this.#nodes[0];
    if (!node) throw new Error('There is no node');
    return node;
  }
}

/** Numbers between 0 and 1, the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
