import path from 'node:path';
import { programOf } from './program-name.ts';
import type { ShellPart } from './shell-word.ts';

const MOVERS = new Set(['cd', 'pushd', 'popd', 'chdir', 'z']);
const MOST = 16;

/**
 * Every directory that relative paths of a command may start from, whatever the order and the branches;
 * undefined when only running can tell.
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
    if (places.length > MOST) return undefined;
  }
  return moves > 0 && repeats(parts) ? undefined : places;
}

interface Move {
  readonly name: string;
  readonly part: ShellPart;
}

/** The same parts are asked about at every judgement of a command. */
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

/** A relative step that is taken again and again leads anywhere. */
function repeats(parts: readonly ShellPart[]): boolean {
  const sources = parts
    .filter((part) => MOVERS.has(part.words[0]?.value ?? ''))
    .map((part) => part.source);
  return new Set(sources).size < sources.length;
}
