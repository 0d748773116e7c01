/** Entries in the upper layer, at most. */
const MAX_RECENT = 256;

/** An immutable map for many entries: `set` copies only the recent ones. */
export class LayeredMap<Key, Value> {
  readonly #older: ReadonlyMap<Key, Value>;
  readonly #recent: ReadonlyMap<Key, Value>;

  constructor(older: ReadonlyMap<Key, Value> = new Map(), recent = new Map<Key, Value>()) {
    this.#older = older;
    this.#recent = recent;
  }

  get(key: Key): Value | undefined {
    return this.#recent.get(key) ?? this.#older.get(key);
  }

  set(key: Key, value: Value): LayeredMap<Key, Value> {
    const recent = new Map(this.#recent).set(key, value);
    if (recent.size <= MAX_RECENT) return new LayeredMap(this.#older, recent);
    return new LayeredMap(new Map([...this.#older, ...recent]));
  }
}
