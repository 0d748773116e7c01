/** Steps run in sequence: a method of the store with its arguments, or `resolveSession` with its message. */
export type Step = readonly [method: string, ...args: unknown[]];

export interface Command {
  readonly call: number;
  readonly options: object;
  readonly steps: readonly Step[];
}

/** The result of a step: its value, or the name of its error. */
export type Outcome = { readonly value: unknown } | { readonly error: string };

export interface Report {
  readonly call: number;
  readonly outcomes: readonly Outcome[];
}
