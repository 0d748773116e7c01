import type { ConflictChoice, RewindScope } from '@robota-sdk/agent-sdk';

type Content = string | null;

/** What the agent, or a rewind, did to a file. */
interface Deed {
  readonly path: string;
  readonly before: Content;
  readonly after: Content;
  /** A version of the person's comes to light with it, or was given up for it. */
  readonly person?: 'here' | 'given up' | undefined;
}

interface Swap {
  readonly path: string;
  readonly before: Content;
  readonly after: Content;
  readonly wasPersons: boolean;
}

interface Prompt {
  readonly id: string;
  readonly text: string;
  /** How many deeds there were before it. */
  readonly at: number;
}

interface Taken {
  readonly what: RewindScope;
  readonly swaps: readonly Swap[];
  readonly prompts: readonly Prompt[];
}

/** What files and conversation should be, in plain terms: who wrote what, in which order. */
export class FilesModel {
  readonly #files = new Map<string, string>();
  /** Files as the person left them; without consent nothing may change these but the agent's own tools. */
  readonly #persons = new Map<string, Content>();
  readonly #deeds: Deed[] = [];
  #prompts: Prompt[] = [];
  #rewinds: Taken[] = [];
  #hasSpoken = false;

  tree(): Record<string, string> {
    return Object.fromEntries([...this.#files].map(([path, text]) => [path, `644 ${text}`]));
  }

  prompts(): string[] {
    return this.#prompts.map(({ id }) => id);
  }

  texts(): string[] {
    return this.#prompts.map(({ text }) => text);
  }

  /** A session in which nobody said anything leaves nothing behind. */
  isKept(): boolean {
    return this.#hasSpoken;
  }

  prompt(id: string, text: string): void {
    this.#hasSpoken = true;
    this.#prompts.push({ id, text, at: this.#deeds.length });
    this.#rewinds = this.#rewinds.filter(({ what }) => what === 'files');
  }

  agent(path: string, content: Content): void {
    this.#do(path, content);
  }

  agentMoves(from: string, to: string): void {
    const content = this.#files.get(from);
    if (content === undefined) return;
    this.#do(from, null);
    this.#do(to, content);
  }

  person(path: string, content: Content): void {
    if (this.#at(path) === content) return;
    this.#put(path, content);
    this.#persons.set(path, content);
  }

  /** The agent wrote, but nobody can be sure that the person did not too. */
  unknown(path: string, content: Content): void {
    this.#do(path, content, 'here');
  }

  fork(): void {
    this.#rewinds = [];
  }

  /** The files that stay as the person has them, or that it does not happen at all. */
  rewind(to: string, what: RewindScope, conflicts: ConflictChoice): string[] | 'refused' {
    const index = this.#prompts.findIndex(({ id }) => id === to);
    const plan = what === 'conversation' ? [] : this.#plan(this.#prompts[index]?.at ?? 0);
    const persons = plan.filter(({ wasPersons }) => wasPersons);
    if (conflicts === 'refuse' && persons.length > 0) return 'refused';
    const swaps = conflicts === 'overwrite' ? plan : plan.filter((swap) => !swap.wasPersons);
    for (const { path, after, wasPersons } of swaps) {
      if (!wasPersons && this.#persons.has(path)) throw new Error(`${path} is the person's.`);
      this.#do(path, after, wasPersons ? 'given up' : undefined);
    }
    const gone = what === 'files' ? [] : this.#prompts.splice(index);
    this.#rewinds.push({ what, swaps, prompts: gone });
    return conflicts === 'keep' ? persons.map(({ path }) => path).toSorted() : [];
  }

  /** False when there is nothing to undo. What somebody changed since stays. */
  undo(): boolean {
    const rewind = this.#rewinds.pop();
    if (!rewind) return false;
    for (const { path, before, after, wasPersons } of rewind.swaps) {
      if (this.#at(path) === after) this.#do(path, before, wasPersons ? 'here' : undefined);
    }
    this.#prompts.push(...rewind.prompts);
    return true;
  }

  /** Back to what stood before the first deed; in doubt where what followed is not what the deed before had left. */
  #plan(since: number): Swap[] {
    const plan: Swap[] = [];
    const deeds = this.#deeds.slice(since);
    for (const path of new Set(deeds.map((deed) => deed.path))) {
      const own = deeds.filter((deed) => deed.path === path);
      const current = this.#at(path);
      const target = own[0]?.before ?? null;
      if (current === target) continue;
      const lastGivenUp = own.findLastIndex(({ person }) => person === 'given up');
      const counted = own.slice(Math.max(0, lastGivenUp));
      const wasPersons = counted.some(
        ({ after, person }, at) =>
          person === 'here' || after !== (counted[at + 1] ? counted[at + 1]?.before : current),
      );
      plan.push({ path, before: current, after: target, wasPersons });
    }
    return plan;
  }

  #do(path: string, after: Content, person?: Deed['person']): void {
    const before = this.#at(path);
    if (before === after) return;
    this.#deeds.push({ path, before, after, person });
    this.#persons.delete(path);
    this.#put(path, after);
  }

  #at(path: string): Content {
    return this.#files.get(path) ?? null;
  }

  #put(path: string, content: Content): void {
    if (content === null) this.#files.delete(path);
    else this.#files.set(path, content);
  }
}
