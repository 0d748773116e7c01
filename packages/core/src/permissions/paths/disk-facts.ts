/** A value read from the disk, and how to read it again. */
interface DiskFact {
  readonly read: (path: string) => string;
  readonly path: string;
  readonly value: string;
}

/** The disk state a judgement is based on; the judgement may be reused while all of it still holds. */
export interface DiskFacts {
  readonly recorded: ReadonlyMap<string, DiskFact>;
  /** In the order they are checked again; sorted on the first check. */
  ordered?: readonly DiskFact[];
}

let recording: Map<string, DiskFact> | undefined;

/** Records a fact while `withDiskFacts` runs. */
export function recordFact(kind: string, fact: DiskFact): void {
  recording?.set(`${kind} ${fact.path}`, fact);
}

/** Whether a fact is already recorded, or nothing is being recorded. */
export function isRecorded(kind: string, path: string): boolean {
  return recording === undefined || recording.has(`${kind} ${path}`);
}

/** Records that the result depends on more than can be checked again, so it is never reused. */
export function recordUncacheable(path: string): void {
  recordFact('unrepeatable', { read: String, path, value: '' });
}

/** Runs `work` and returns the facts it read from the disk. */
export function withDiskFacts<Result>(work: () => Result): {
  readonly result: Result;
  readonly facts: DiskFacts;
} {
  const outer = recording;
  const facts = new Map<string, DiskFact>();
  recording = facts;
  try {
    const result = work();
    return { result, facts: { recorded: facts } };
  } finally {
    recording = outer;
  }
}

/** A deep path without links proves that its parent directories have none either, so they are cached by then. */
function deepestFirst(facts: Iterable<DiskFact>): readonly DiskFact[] {
  return [...facts].sort((left, right) => right.path.length - left.path.length);
}

export function stillHold(facts: DiskFacts): boolean {
  facts.ordered ??= deepestFirst(facts.recorded.values());
  for (const { read, path, value } of facts.ordered) {
    if (read(path) !== value) return false;
  }
  return true;
}
