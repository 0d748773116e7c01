/**
 * The parent links of the lines of a file. Writers race, so a line can come before its parent in the file;
 * `sequence` puts every line after its parent and otherwise keeps the file order.
 */
export interface LineOrder {
  /** For each line the position of its parent; -1 for a root. Has no cycles. */
  readonly parents: Int32Array;
  readonly sequence: readonly number[];
  /** The last line of the conversation. */
  readonly leaf: number;
}

export interface LinkedLine {
  readonly parent: string | undefined;
}

/** A missing parent is replaced by the previous line if `bridgeHoles` is set; otherwise the line is a root. */
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
  breakCycles(parents);
  return { parents, sequence: parentsFirst(parents), leaf: lastLine(parents, early) };
}

/** Every cycle contains a line whose parent comes later; that link is dropped. */
function breakCycles(parents: Int32Array): void {
  const state = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const walked: number[] = [];
    let at = start;
    while (at >= 0 && state[at] === UNSEEN) {
      state[at] = WALKED;
      walked.push(at);
      at = parents[at] ?? -1;
    }
    if (at >= 0 && state[at] === WALKED) dropLink(parents, state, walked.slice(walked.indexOf(at)));
    for (const index of walked) state[index] = DONE;
  }
}

function dropLink(parents: Int32Array, state: Uint8Array, cycle: readonly number[]): void {
  const index = cycle.find((each) => (parents[each] ?? -1) >= each) ?? cycle[0] ?? 0;
  parents[index] = state[index - 1] === DONE ? index - 1 : -1;
}

const UNSEEN = 0;
const WALKED = 1;
const DONE = 2;

/** Sorts by the latest position among a line and its ancestors; on a tie the ancestor comes first. */
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

/** A line written too early may follow the last line of the file. */
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
