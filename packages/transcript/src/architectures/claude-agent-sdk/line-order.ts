/**
 * How the lines of a file hang together. Writers race, so a line can stand in the file before the line it
 * follows; `sequence` puts every line behind its parent and otherwise keeps the order of the file.
 */
export interface LineOrder {
  /** For each line the position of its parent; -1 at a start. Free of circles. */
  readonly parents: Int32Array;
  readonly sequence: readonly number[];
  /** The last line, or what already follows it. */
  readonly leaf: number;
}

export interface LinkedLine {
  readonly parent: string | undefined;
}

/** A parent that is missing counts as the line before (`bridgeHoles`), or as outside of what is known. */
export function orderLines(
  lines: readonly LinkedLine[],
  positions: ReadonlyMap<string, number>,
  bridgeHoles: boolean,
): LineOrder {
  const parents = Int32Array.from(lines, ({ parent }, index) => {
    if (parent === undefined) return -1;
    return positions.get(parent) ?? (bridgeHoles ? index - 1 : -1);
  });
  const early = parents.reduce<number[]>((found, parent, index) => {
    if (parent >= index) found.push(index);
    return found;
  }, []);
  if (early.length === 0) {
    return { parents, sequence: lines.map((_, index) => index), leaf: lines.length - 1 };
  }
  breakCircles(parents);
  return { parents, sequence: parentsFirst(parents), leaf: lastLine(parents, early) };
}

/** Every circle holds a line that names a later one as its parent; that link is given up. */
function breakCircles(parents: Int32Array): void {
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const walked: number[] = [];
    let at = start;
    while (at >= 0 && state[at] === UNSEEN) {
      state[at] = WALKED;
      walked.push(at);
      at = parents[at] ?? -1;
    }
    if (at >= 0 && state[at] === WALKED)
      giveUpLink(parents, state, walked.slice(walked.indexOf(at)));
    for (const index of walked) state[index] = DONE;
  }
}

function giveUpLink(parents: Int32Array, state: Uint8Array, circle: readonly number[]): void {
  const index = circle.find((each) => (parents[each] ?? -1) >= each) ?? circle[0] ?? 0;
  parents[index] = state[index - 1] === DONE ? index - 1 : -1;
}

const UNSEEN = 0;
const WALKED = 1;
const DONE = 2;

/** A line counts as written no earlier than its parent; among equals the parent comes first. */
function parentsFirst(parents: Int32Array): number[] {
  const written = new Int32Array(parents.length).fill(-1);
  const depth = new Int32Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const chain: number[] = [];
    for (let at = start; at >= 0 && written[at] === -1; at = parents[at] ?? -1) chain.push(at);
    for (const index of chain.reverse()) {
      const parent = parents[index] ?? -1;
      written[index] = Math.max(index, written[parent] ?? -1);
      depth[index] = (depth[parent] ?? -1) + 1;
    }
  }
  const difference = (values: Int32Array, left: number, right: number) =>
    (values[left] ?? 0) - (values[right] ?? 0);
  return Array.from(parents, (_, index) => index).sort(
    (left, right) => difference(written, left, right) || difference(depth, left, right),
  );
}

/** What was written too early may follow the last line of the file. */
function lastLine(parents: Int32Array, early: readonly number[]): number {
  const children = new Map<number, number>();
  for (const index of early) {
    const parent = parents[index] ?? -1;
    if (parent > index) children.set(parent, index);
  }
  let leaf = parents.length - 1;
  for (let next = children.get(leaf); next !== undefined; next = children.get(leaf)) leaf = next;
  return leaf;
}
