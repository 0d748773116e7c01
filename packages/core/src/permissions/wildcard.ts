/** Whether `text` matches `pattern`, where `*` is any run of characters; backtracks to the last `*` only. */
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

/** Whether some text matches both patterns; `wild` says which characters match any single one. */
export function wildcardsIntersect(
  left: string,
  right: string,
  wild: (character: string | undefined) => boolean = noCharacter,
): boolean {
  return new PatternIntersection(left, right, wild).from(0, 0);
}

class PatternIntersection {
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
    const intersects = this.#tryFrom(at, other);
    if (!intersects) this.#failed.add(key);
    return intersects;
  }

  #tryFrom(at: number, other: number): boolean {
    const leftCharacter = this.#left[at];
    const rightCharacter = this.#right[other];
    if (leftCharacter === undefined && rightCharacter === undefined) return true;
    if (leftCharacter === '*')
      return this.from(at + 1, other) || (rightCharacter !== undefined && this.from(at, other + 1));
    if (rightCharacter === '*')
      return this.from(at, other + 1) || (leftCharacter !== undefined && this.from(at + 1, other));
    if (leftCharacter === undefined || rightCharacter === undefined) return false;
    return (
      (leftCharacter === rightCharacter ||
        this.#wild(leftCharacter) ||
        this.#wild(rightCharacter)) &&
      this.from(at + 1, other + 1)
    );
  }
}

/** The single-character wildcard of file names. */
export function isQuestionMark(character: string | undefined): boolean {
  return character === '?';
}

function noCharacter(): boolean {
  return false;
}
