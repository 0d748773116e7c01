/** One thing that was learned about the disk, and how to learn it again. */
interface DiskFact {
  readonly learn: (path: string) => string;
  readonly path: string;
  readonly learned: string;
}

/** What a judgement knows about the disk: it may be used again for as long as all of it still holds. */
export type DiskFacts = ReadonlyMap<string, DiskFact>;

let recording: Map<string, DiskFact> | undefined;

/** Notes what was learned, while somebody records. */
export function noteFact(kind: string, fact: DiskFact): void {
  recording?.set(`${kind} ${fact.path}`, fact);
}

/** Whether a fact is noted already, or need not be. */
export function isNoted(kind: string, path: string): boolean {
  return recording === undefined || recording.has(`${kind} ${path}`);
}

/** Runs `work` and tells what it learned about the disk. */
export function withDiskFacts<Result>(work: () => Result): {
  readonly result: Result;
  readonly facts: DiskFacts;
} {
  const outer = recording;
  const facts = new Map<string, DiskFact>();
  recording = facts;
  try {
    const result = work();
    return { result, facts: deepestFirst(facts) };
  } finally {
    recording = outer;
  }
}

/** Where a deep place has no other name, neither have the directories above it: they need not be looked at again. */
function deepestFirst(facts: DiskFacts): DiskFacts {
  const byLength = [...facts].sort(([, left], [, right]) => right.path.length - left.path.length);
  return new Map(byLength);
}

/** Whether everything is still as it was learned. */
export function stillHold(facts: DiskFacts): boolean {
  for (const { learn, path, learned } of facts.values()) {
    if (learn(path) !== learned) return false;
  }
  return true;
}
