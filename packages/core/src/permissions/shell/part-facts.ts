import { mayNameSecret } from '../own-secrets.ts';
import { type CommandViews, viewsOf } from './command-views.ts';
import { accessOf, type FileAccess } from './file-access.ts';
import type { ShellAnalysis, ShellPart, ShellWord } from './shell-word.ts';

/** What is worked out once for each part of a command. */
export interface PartFacts {
  readonly views: CommandViews;
  readonly access: FileAccess;
  /** Files among them whose names look like those of our own secrets. */
  readonly suspects: readonly ShellWord[];
}

const known = new WeakMap<ShellPart, PartFacts>();

export function factsOf(part: ShellPart): PartFacts {
  const facts = known.get(part);
  if (facts !== undefined) return facts;
  const access = accessOf(part);
  const suspects = [...access.reads, ...access.writes].filter((word) => mayNameSecret(word.value));
  const made = { views: viewsOf(part), access, suspects };
  known.set(part, made);
  return made;
}

/** Every part of a command and everything that each of them starts. */
export function allParts(analysis: ShellAnalysis): readonly ShellPart[] {
  const parts = unfolded.get(analysis) ?? analysis.parts.flatMap(withInner);
  unfolded.set(analysis, parts);
  return parts;
}

const unfolded = new WeakMap<ShellAnalysis, readonly ShellPart[]>();

function withInner(part: ShellPart): readonly ShellPart[] {
  return part.inner === undefined ? [part] : [part, ...part.inner.flatMap(withInner)];
}
