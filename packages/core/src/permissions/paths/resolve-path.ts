import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { noteFact } from './disk-facts.ts';

/** One place under both its names: as written (made absolute, `..` folded) and with every link followed. */
export interface ResolvedPath {
  readonly literal: string;
  readonly real: string;
}

/** Resolves what a tool was given; the file itself need not exist. */
export function resolvePath(text: string, cwd: string): ResolvedPath {
  const literal = path.resolve(cwd, expandHome(text));
  return { literal, real: realPath(literal) };
}

export function expandHome(text: string): string {
  if (text === '~') return homedir();
  return text.startsWith('~/') ? path.join(homedir(), text.slice(2)) : text;
}

const MOST_LINKS = 40;

/** Links are followed once per decision: a command names the same directories again and again. */
const followed = new Map<string, string>();

/** Called when a decision begins, so that it sees the disk as it is now. */
export function forgetLinks(): void {
  if (followed.size > 0) followed.clear();
}

/** The real path of the longest part that exists, followed by the rest. */
export function realPath(absolute: string): string {
  const real = followOnce(absolute);
  noteFact('real', { learn: followOnce, path: absolute, learned: real });
  return real;
}

function followOnce(absolute: string): string {
  const known = followed.get(absolute);
  if (known !== undefined) return known;
  const real = follow(absolute, 0);
  followed.set(absolute, real);
  return real;
}

/** On the way to a place that has no other name there is no link: its directories are where they seem to be as well. */
function noteDirectoriesAbove(absolute: string): void {
  for (let here = path.dirname(absolute); !followed.has(here); here = path.dirname(here)) {
    followed.set(here, here);
  }
}

function follow(absolute: string, links: number): string {
  const there = tryRealPath(absolute);
  if (there === absolute) noteDirectoriesAbove(absolute);
  if (there !== undefined) return there;
  const parent = path.dirname(absolute);
  const entry = entryAt(absolute);
  if (entry === 'missing') {
    return parent === absolute ? absolute : path.join(realPath(parent), path.basename(absolute));
  }
  const target = entry === 'link' ? path.resolve(parent, readlinkSync(absolute)) : absolute;
  // A link to what does not exist yet: writing through it creates the target.
  return entry === 'link' && links < MOST_LINKS ? follow(target, links + 1) : absolute;
}

function entryAt(absolute: string): 'missing' | 'link' | 'other' {
  try {
    const entry = lstatSync(absolute, { throwIfNoEntry: false });
    if (entry === undefined) return 'missing';
    return entry.isSymbolicLink() ? 'link' : 'other';
  } catch {
    return 'missing'; // A file stands where a directory would have to, or the way is closed to us too.
  }
}

function tryRealPath(absolute: string): string | undefined {
  try {
    return realpathSync.native(absolute);
  } catch {
    return undefined; // A link that leads nowhere: the caller follows it by hand.
  }
}
