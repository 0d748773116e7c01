import path from 'node:path';
import { programOf } from './program-name.ts';
import type { ShellPart } from './shell-word.ts';

const MOVERS = new Set(['cd', 'pushd', 'popd', 'chdir', 'z']);
const MAX_DIRECTORIES = 16;

/**
 * Every directory that relative paths of a command may start from, in any order and branch; undefined when it is known
 * only at run time.
 */
export function workingDirectories(
  parts: readonly ShellPart[],
  cwd: string,
): readonly string[] | undefined {
  const moving = movesOf(parts);
  let places: readonly string[] = [cwd];
  let moves = 0;
  for (const { name, part } of moving) {
    const target = targetOf(name, part);
    if (target === undefined) return undefined;
    moves += path.isAbsolute(target) ? 0 : 1;
    places = [...new Set([...places, ...places.map((place) => path.resolve(place, target))])];
    if (places.length > MAX_DIRECTORIES) return undefined;
  }
  return moves > 0 && repeats(parts) ? undefined : places;
}

interface Move {
  readonly name: string;
  readonly part: ShellPart;
}

/** Cached: every judgement of a command asks for the same parts. */
function movesOf(parts: readonly ShellPart[]): readonly Move[] {
  const known = knownMoves.get(parts);
  if (known !== undefined) return known;
  const moves = parts
    .map((part) => ({ name: programOf(part.words[0]?.value ?? ''), part }))
    .filter(({ name }) => MOVERS.has(name));
  knownMoves.set(parts, moves);
  return moves;
}

const knownMoves = new WeakMap<readonly ShellPart[], readonly Move[]>();

function targetOf(name: string, part: ShellPart): string | undefined {
  if (name === 'popd' || name === 'z') return undefined;
  const word = part.words
    .slice(1)
    .find(
      (each) =>
        each.value === undefined || !/^-[LPe@]*$|^--$/.test(each.value) || each.value === '-',
    );
  if (word === undefined) return process.env.HOME;
  if (word.glob === true || word.value === '-') return undefined;
  return word.value;
}

/** A repeated relative `cd` may lead anywhere. */
function repeats(parts: readonly ShellPart[]): boolean {
  const sources = parts
    .filter((part) => MOVERS.has(part.words[0]?.value ?? ''))
    .map((part) => part.source);
  return new Set(sources).size < sources.length;
}
