/** Whether `text` fits `pattern`, where `*` stands for any run of characters. Never backtracks twice. */
export function matchesWildcard(pattern: string, text: string): boolean {
  let at = 0;
  let position = 0;
  let star = -1;
  let resume = 0;
  while (position < text.length) {
    if (pattern[at] === '*') {
      star = at++;
      resume = position;
    } else if (pattern[at] === text[position]) {
      at++;
      position++;
    } else if (star >= 0) {
      at = star + 1;
      position = ++resume;
    } else {
      return false;
    }
  }
  while (pattern[at] === '*') at++;
  return at === pattern.length;
}

/** Whether some text fits both patterns; `wild` names what stands for any one character. */
export function wildcardsMeet(
  left: string,
  right: string,
  wild: (character: string | undefined) => boolean = isNothing,
): boolean {
  return new Meeting(left, right, wild).from(0, 0);
}

class Meeting {
  readonly #left: string;
  readonly #right: string;
  readonly #wild: (character: string | undefined) => boolean;
  readonly #failed = new Set<number>();

  constructor(left: string, right: string, wild: (character: string | undefined) => boolean) {
    this.#left = left;
    this.#right = right;
    this.#wild = wild;
  }

  from(at: number, other: number): boolean {
    const key = at * (this.#right.length + 1) + other;
    if (this.#failed.has(key)) return false;
    const meets = this.#tryFrom(at, other);
    if (!meets) this.#failed.add(key);
    return meets;
  }

  #tryFrom(at: number, other: number): boolean {
    const mine = this.#left[at];
    const theirs = this.#right[other];
    if (mine === undefined && theirs === undefined) return true;
    if (mine === '*')
      return this.from(at + 1, other) || (theirs !== undefined && this.from(at, other + 1));
    if (theirs === '*')
      return this.from(at, other + 1) || (mine !== undefined && this.from(at + 1, other));
    if (mine === undefined || theirs === undefined) return false;
    return (
      (mine === theirs || this.#wild(mine) || this.#wild(theirs)) && this.from(at + 1, other + 1)
    );
  }
}

/** A wildcard for one character, as in file names. */
export function isQuestion(character: string | undefined): boolean {
  return character === '?';
}

function isNothing(): boolean {
  return false;
}
