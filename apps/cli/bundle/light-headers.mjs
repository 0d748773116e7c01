/** The subset of `Headers` that the provider packages use; touching the real one makes Node load its entire fetch client. */
export class LightHeaders {
  #values = new Map();

  constructor(init = {}) {
    const pairs = typeof init[Symbol.iterator] === 'function' ? init : Object.entries(init);
    for (const [name, value] of pairs) this.set(name, value);
  }

  get(name) {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name) {
    return this.#values.has(name.toLowerCase());
  }

  set(name, value) {
    this.#values.set(name.toLowerCase(), String(value));
  }

  append(name, value) {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  delete(name) {
    this.#values.delete(name.toLowerCase());
  }

  forEach(visit) {
    for (const [name, value] of this) visit(value, name, this);
  }

  entries() {
    return this[Symbol.iterator]();
  }

  keys() {
    return [...this].map(([name]) => name).values();
  }

  [Symbol.iterator]() {
    return [...this.#values].sort(([left], [right]) => (left < right ? -1 : 1)).values();
  }
}
