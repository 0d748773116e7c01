import path from 'node:path';
import { isOwnSecret, secretsUnder } from './own-secrets.ts';
import { entryStatus } from './paths/file-status.ts';
import { matchingNames } from './paths/matching-names.ts';
import { type ResolvedPath, realPath, resolvePath } from './paths/resolve-path.ts';
import { isInside } from './paths/roots.ts';
import type { PermissionRule } from './rule.ts';
import type { PathRule, RuleSet } from './rule-set.ts';
import type { FileAccess } from './shell/file-access.ts';
import { partFacts } from './shell/part-facts.ts';
import type { ShellPart, ShellWord } from './shell/shell-word.ts';
import { workingDirectories } from './shell/working-directories.ts';
import { shownByGit, showsFilesOfGit } from './shown-by-git.ts';

/** The files of one command line, resolved against every directory it may run in. */
export class CommandFiles {
  readonly #parts: readonly ShellPart[];
  readonly #cwd: string;
  #found: { readonly bases: readonly string[] | undefined } | undefined;

  constructor(parts: readonly ShellPart[], cwd: string) {
    this.#parts = parts;
    this.#cwd = cwd;
  }

  /** Undefined when the directories cannot be determined. */
  get #bases(): readonly string[] | undefined {
    this.#found ??= { bases: workingDirectories(this.#parts, this.#cwd) };
    return this.#found.bases;
  }

  /** Whether this part names a file with Robota's own secrets. */
  namesSecret(part: ShellPart): boolean {
    const { possibleSecrets, access } = partFacts(part);
    const named = possibleSecrets.some((word) => {
      const places =
        word.glob === true ? (this.#globMatches(word) ?? []) : (this.places(word) ?? []);
      return places.some((place) => isOwnSecret(place.real) || isOwnSecret(place.literal));
    });
    return named || access.contents.some((word) => this.#linksToSecret(word));
  }

  /** Whether this part reads a directory recursively with Robota's own secrets in it, or further below. */
  readsSecrets(part: ShellPart): 'inside' | 'beneath' | undefined {
    const { recursive, reads, searchesNamed } = partFacts(part).access;
    // A directory that is moved or linked is read under its new name.
    const isRenamed = RENAMES.test(part.words[0]?.value ?? '');
    if (!recursive && !isRenamed) return undefined;
    const seesHidden =
      !SKIPS_HIDDEN.test(part.words[0]?.value ?? '') || part.words.some(showsHidden);
    const named = reads.flatMap((word) => this.places(word) ?? []).map((place) => place.real);
    const here = searchesNamed || isRenamed ? [] : (this.#bases ?? [this.#cwd]);
    const found = [...named, ...here].map((directory) => secretsUnder(directory, seesHidden));
    return found.find((each) => each === 'inside') ?? found.find((each) => each !== undefined);
  }

  /** A link to a secret may have any name. */
  #linksToSecret(word: ShellWord): boolean {
    if (word.glob === true || word.value === undefined) return false;
    const bases = path.isAbsolute(word.value) ? ['/'] : (this.#bases ?? [this.#cwd]);
    return bases.some((base) => {
      const file = path.resolve(base, word.value ?? '');
      return entryStatus(file)?.isSymbolicLink() === true && isOwnSecret(realPath(file));
    });
  }

  /** A deny or ask rule about files that this part certainly matches. */
  matchingRule(part: ShellPart, set: RuleSet): PermissionRule | undefined {
    const { reads, writes, contents } = partFacts(part).access;
    return (
      (contents.some(namesFile) ? set.everyCall('Read') : undefined) ??
      this.#ruleMatching(reads, READ_TOOLS, set) ??
      this.#ruleMatching(writes, WRITE_TOOLS, set)
    );
  }

  /** The same for names known only at run time, and for directories read recursively. */
  possibleRule(part: ShellPart, set: RuleSet): PermissionRule | undefined {
    const { access } = partFacts(part);
    const { reads, writes, recursive, unknownReads } = access;
    const [readRules, writeRules] = [set.paths('Read'), set.paths('Write')];
    const every = set.everyCall('Read');
    if (every && (unknownReads || recursive || showsFilesOfGit(part))) return every;
    if (readRules.length > 0 && (unknownReads || this.#isUnresolved(reads)))
      return readRules[0]?.rule;
    const shown = shownByGit(part, this.#bases ?? [this.#cwd], readRules);
    if (shown !== undefined) return shown;
    const unknownWrites =
      writes.some((word) => word.value === undefined) || this.#isUnresolved(writes);
    if (writeRules.length > 0 && unknownWrites) return writeRules[0]?.rule;
    return recursive ? this.#ruleMatchingBelow(access, readRules) : undefined;
  }

  /** All paths that a word may refer to; undefined when they cannot be determined. */
  places(word: ShellWord): readonly ResolvedPath[] | undefined {
    if (word.value === undefined) return undefined;
    const text = word.glob === true ? staticPrefix(word.value) : word.value;
    if (text === undefined || leadsThroughProcess(word.value)) return undefined;
    const seen = text.replace(OWN_ROOT, '/').replace(OWN_DIRECTORY, '.');
    if (path.isAbsolute(seen)) return [resolvePath(seen, '/')];
    return this.#bases?.map((base) => resolvePath(seen, base));
  }

  isInside(word: ShellWord, roots: readonly string[]): boolean {
    const places = this.places(word);
    return places?.every((place) => isInside(place, roots)) === true;
  }

  #ruleMatching(
    words: readonly ShellWord[],
    tools: readonly string[],
    set: RuleSet,
  ): PermissionRule | undefined {
    if (words.length === 0) return undefined;
    const every = tools === WRITE_TOOLS ? set.everyCall('Write') : undefined;
    if (every !== undefined && words.some((word) => !isDevice(word))) return every;
    const rules = rulesOf(set, tools);
    return rules.length === 0
      ? undefined
      : rules.find(({ pattern }) => words.some((word) => this.#isMatched(word, pattern)))?.rule;
  }

  #isMatched(word: ShellWord, pattern: PathRule['pattern']): boolean {
    if (word.value === undefined) return false;
    if (word.glob === true) {
      if (this.#globs(word.value).some((glob) => pattern.mayMatch(glob))) return true;
      return this.#globMatches(word)?.some((place) => pattern.matches(place)) ?? true;
    }
    return this.places(word)?.some((place) => pattern.matches(place)) === true;
  }

  /** The current matches of a glob, links resolved; undefined when there are too many. */
  #globMatches(word: ShellWord): readonly ResolvedPath[] | undefined {
    const bases = this.#bases ?? [this.#cwd];
    const found = bases.map((base) =>
      matchingNames(word.value ?? '', base)?.map((name) => resolvePath(name, base)),
    );
    const known = found.filter((places) => places !== undefined);
    return known.length < found.length ? undefined : known.flat();
  }

  #globs(value: string): readonly string[] {
    return (this.#bases ?? [this.#cwd]).map((base) => path.resolve(base, value));
  }

  /** Whether relative words start from a directory that cannot be determined. */
  #isUnresolved(words: readonly ShellWord[]): boolean {
    if (words.some((word) => leadsThroughProcess(word.value ?? ''))) return true;
    return this.#bases === undefined && words.some((word) => !path.isAbsolute(word.value ?? '/'));
  }

  #ruleMatchingBelow(
    { reads, searchesNamed }: FileAccess,
    rules: readonly PathRule[],
  ): PermissionRule | undefined {
    if (rules.length === 0) return undefined;
    const named = reads
      .flatMap((word) => this.places(word) ?? [])
      .flatMap((place) => [place.literal, place.real]);
    const here = searchesNamed ? [] : (this.#bases ?? [this.#cwd]);
    const directories = [...named, ...here];
    return rules.find(({ pattern }) =>
      directories.some((directory) => pattern.matchesBelow(directory)),
    )?.rule;
  }
}

/** Links of the process that will run; for this process they resolve to other directories. */
const OWN_DIRECTORY = /^\/+proc\/+(?:thread-)?self\/+(?:task\/+\d+\/+)?cwd(?=\/|$)/;
const OWN_ROOT = /^\/+proc\/+(?:thread-)?self\/+(?:task\/+\d+\/+)?root(?:\/+|$)/;
const OF_A_PROCESS = /^\/+(?:proc\/.*\/(?:cwd|root|fd\/+[^/]+)|dev\/+fd\/+[^/]+)(?:\/|$)/;

/** Whether a path leads through a directory of another process, or through an open file, which may be a directory. */
function leadsThroughProcess(text: string): boolean {
  if (!OF_A_PROCESS.test(text) || OWN_DIRECTORY.test(text) || OWN_ROOT.test(text)) return false;
  return !/^\/dev\/fd\/\d+$/.test(text);
}

const RENAMES = /(?:^|\/)(?:mv|ln)$/;
const SKIPS_HIDDEN = /(?:^|\/)(?:rg|ag|ack)$/;

function showsHidden({ value }: ShellWord): boolean {
  return value === undefined || /^(?:--hidden|-[a-zA-Z0-9]*(?:\.|uu|u.*u))/.test(value);
}

const READ_TOOLS: readonly string[] = ['Read'];
const WRITE_TOOLS: readonly string[] = ['Write'];

function rulesOf(set: RuleSet, tools: readonly string[]): readonly PathRule[] {
  const [only] = tools;
  return only === undefined ? [] : set.paths(only);
}

/** The directory before the first wildcard; undefined when a later `..` could leave it. */
function staticPrefix(value: string): string | undefined {
  const first = value.search(/[*?[{]/);
  const tail = first === -1 ? '' : value.slice(first);
  if (/(?:^|\/)\.\.(?:\/|$)/.test(tail)) return undefined;
  const head = first === -1 ? value : value.slice(0, first);
  return head.includes('/') ? head.slice(0, head.lastIndexOf('/') + 1) : '.';
}

/** A URL is not a file. */
function namesFile(word: ShellWord): boolean {
  return !isDevice(word) && !/^https?:\/\//i.test(word.value ?? '');
}

/** Devices where writing changes nothing. */
export function isDevice(word: ShellWord): boolean {
  return word.value !== undefined && /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(word.value);
}
