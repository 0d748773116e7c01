import { type DiskFacts, stillHold, withDiskFacts } from '../paths/disk-facts.ts';

/** An answer about a command, everything it depends on beside the disk, and what it knew about the disk. */
interface RememberedAnswer<Answer> {
  readonly inputs: readonly unknown[];
  readonly facts: DiskFacts;
  readonly answer: Answer;
}

const MOST_REMEMBERED = 256;

/** Text whose judgement depends on nothing but its inputs and looked-up files: no variables, loops or patterns of names. */
const DEPENDS_ON_MORE = /[$~`*?[{]|(?:^|[\s;&|(])(?:[A-Za-z_]\w*=|for\s)/;

/** Judges a command again only when its inputs or the files that it concerns have changed. */
export class RememberedJudgements<Answer> {
  readonly #answers = new Map<string, RememberedAnswer<Answer>>();

  get(command: string, inputsOf: () => readonly unknown[], judge: () => Answer): Answer {
    if (DEPENDS_ON_MORE.test(command)) return judge();
    const known = this.#answers.get(command);
    // The disk first: the inputs name directories above the files of the command, which are known then.
    const holds = known !== undefined && stillHold(known.facts);
    const inputs = inputsOf();
    if (holds && known.inputs.every((input, index) => input === inputs[index])) return known.answer;
    const { result, facts } = withDiskFacts(judge);
    if (this.#answers.size >= MOST_REMEMBERED) this.#answers.clear();
    this.#answers.set(command, { inputs, facts, answer: result });
    return result;
  }
}
