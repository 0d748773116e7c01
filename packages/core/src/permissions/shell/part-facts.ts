import { mayNameSecret } from '../own-secrets.ts';
import { type CommandViews, viewsOf } from './command-views.ts';
import { accessOf, type FileAccess } from './file-access.ts';
import type { ShellAnalysis, ShellPart, ShellWord } from './shell-word.ts';

/** Derived once for each part of a command. */
export interface PartFacts {
  readonly views: CommandViews;
  readonly access: FileAccess;
  /** Files among them whose names look like Robota's own secrets. */
  readonly possibleSecrets: readonly ShellWord[];
}

const known = new WeakMap<ShellPart, PartFacts>();

export function partFacts(part: ShellPart): PartFacts {
  const facts = known.get(part);
  if (facts !== undefined) return facts;
  const access = accessOf(part);
  const possibleSecrets = [...access.reads, ...access.writes].filter((word) =>
    mayNameSecret(word.value),
  );
  const made = { views: viewsOf(part), access, possibleSecrets };
  known.set(part, made);
  return made;
}

/** Every part of a command, including the parts that each one starts. */
export function allParts(analysis: ShellAnalysis): readonly ShellPart[] {
  const parts = flattened.get(analysis) ?? analysis.parts.flatMap(withInner);
  flattened.set(analysis, parts);
  return parts;
}

const flattened = new WeakMap<ShellAnalysis, readonly ShellPart[]>();

function withInner(part: ShellPart): readonly ShellPart[] {
  return part.inner === undefined ? [part] : [part, ...part.inner.flatMap(withInner)];
}
