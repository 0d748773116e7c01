import { type DiskFacts, stillHold, withDiskFacts } from '../paths/disk-facts.ts';

/** A cached judgement, its inputs, and the disk state it depends on. */
interface CachedJudgement<Answer> {
  readonly inputs: readonly unknown[];
  readonly facts: DiskFacts;
  readonly answer: Answer;
}

const MAX_CACHED = 256;

/**
 * Matches text with variables, loops or globs, whose judgement depends on more than its inputs and the recorded disk
 * facts.
 */
const DEPENDS_ON_MORE = /[$~`*?[{]|(?:^|[\s;&|(])(?:[A-Za-z_]\w*=|for\s)/;

/** Checks a command again only when its inputs or the files it depends on have changed. */
export class JudgementCache<Answer> {
  readonly #cached = new Map<string, CachedJudgement<Answer>>();

  get(command: string, inputsOf: () => readonly unknown[], judge: () => Answer): Answer {
    if (DEPENDS_ON_MORE.test(command)) return judge();
    const known = this.#cached.get(command);
    // The disk first: it also resolves the directories that the inputs name.
    const holds = known !== undefined && stillHold(known.facts);
    const inputs = inputsOf();
    if (holds && known.inputs.every((input, index) => input === inputs[index])) return known.answer;
    const { result, facts } = withDiskFacts(judge);
    if (this.#cached.size >= MAX_CACHED) this.#cached.clear();
    this.#cached.set(command, { inputs, facts, answer: result });
    return result;
  }
}
