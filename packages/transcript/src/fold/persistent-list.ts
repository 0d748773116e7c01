/** An immutable list: `push` and `set` take logarithmic time and share structure with the old list. */
export class PersistentList<Item> {
  readonly length: number;
  readonly #depth: number;
  readonly #root: TrieNode;
  #array: readonly Item[] | undefined;

  private constructor(length: number, depth: number, root: TrieNode) {
    this.length = length;
    this.#depth = depth;
    this.#root = root;
  }

  static from<Item>(items: readonly Item[]): PersistentList<Item> {
    let level: TrieNode[] = chunk(items);
    let depth = 0;
    while (level.length > 1) {
      level = chunk(level) as TrieNode[];
      depth += 1;
    }
    return new PersistentList<Item>(items.length, depth, level[0] ?? []);
  }

  get(index: number): Item | undefined {
    if (index < 0 || index >= this.length) return undefined;
    let node = this.#root;
    for (let level = this.#depth; level > 0; level--) node = node[slot(index, level)] as TrieNode;
    return node[slot(index, 0)] as Item;
  }

  push(item: Item): PersistentList<Item> {
    const isFull = this.length === WIDTH ** (this.#depth + 1);
    const depth = isFull ? this.#depth + 1 : this.#depth;
    const root = isFull ? [this.#root] : this.#root;
    return new PersistentList<Item>(
      this.length + 1,
      depth,
      withItem(root, depth, this.length, item),
    );
  }

  set(index: number, item: Item): PersistentList<Item> {
    const root = withItem(this.#root, this.#depth, index, item);
    return new PersistentList<Item>(this.length, this.#depth, root);
  }

  /** Created on the first call, then cached. */
  toArray(): readonly Item[] {
    this.#array ??= collect<Item>(this.#root, this.#depth);
    return this.#array;
  }
}

/** Inner nodes contain nodes, leaves contain items. */
type TrieNode = readonly unknown[];

const BITS = 5;
const WIDTH = 1 << BITS;

function slot(index: number, level: number): number {
  return (index >>> (level * BITS)) & (WIDTH - 1);
}

function withItem(node: TrieNode, level: number, index: number, item: unknown): TrieNode {
  const copy = node.slice();
  const at = slot(index, level);
  copy[at] = level === 0 ? item : withItem((node[at] as TrieNode) ?? [], level - 1, index, item);
  return copy;
}

function chunk(items: readonly unknown[]): TrieNode[] {
  const chunks: TrieNode[] = [];
  for (let start = 0; start < items.length; start += WIDTH) {
    chunks.push(items.slice(start, start + WIDTH));
  }
  return chunks;
}

function collect<Item>(node: TrieNode, depth: number): Item[] {
  if (depth === 0) return node.slice() as Item[];
  return node.flatMap((child) => collect<Item>(child as TrieNode, depth - 1));
}
