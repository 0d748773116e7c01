import { join } from 'node:path';
import { GitObjects } from './git-objects.ts';
import { readSmallFile } from './git-repository.ts';

/** Reading one takes about 50 µs; longer histories without a remote are rare. */
const MAX_COMMITS = 5_000;
/** Limit for references that point to references. */
const MAX_REFERENCES = 5;

/**
 * The first commit of a repository: the end of the chain of first parents from the HEAD of its main work tree. Undefined
 * without commits, in shallow clones, in histories that are too long, and for anything not in git's own format.
 */
export function findRootCommit(folder: string): string | undefined {
  const objects = new GitObjects(join(folder, 'objects'));
  try {
    let id = resolveReference(folder, 'HEAD');
    for (let count = 0; id !== undefined && count < MAX_COMMITS; count++) {
      const commit = objects.readCommit(id);
      if (commit === undefined) return undefined;
      const parent = PARENT.exec(commit)?.[1];
      if (parent === undefined) return id;
      id = parent;
    }
    return undefined;
  } finally {
    objects.close();
  }
}

/** The line directly after `tree`, where no commit message can be. */
const PARENT = /^tree [0-9a-f]{40,64}\nparent ([0-9a-f]{40,64})\n/;
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;
/** A name below the folder; git accepts no name with `..`. */
const REFERENCE = /^ref:\s*(refs\/(?!.*\.\.)[^\s\\]+)$/;

function resolveReference(folder: string, name: string): string | undefined {
  let wanted = name;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    const text = readSmallFile(join(folder, wanted))?.trim() ?? packedReference(folder, wanted);
    if (text === undefined || OBJECT_ID.test(text)) return text;
    const next = REFERENCE.exec(text)?.[1];
    if (next === undefined) return undefined;
    wanted = next;
  }
  return undefined;
}

function packedReference(folder: string, name: string): string | undefined {
  const lines = readSmallFile(join(folder, 'packed-refs'))?.split('\n') ?? [];
  const line = lines.find((each) => each.endsWith(` ${name}`));
  return line?.slice(0, line.indexOf(' '));
}
