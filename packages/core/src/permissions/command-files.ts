import path from 'node:path';
import { isOwnSecret, secretsUnder } from './own-secrets.ts';
import { entryStatus } from './paths/file-status.ts';
import { matchingNames } from './paths/matching-names.ts';
import { type ResolvedPath, realPath, resolvePath } from './paths/resolve-path.ts';
import { isInside } from './paths/roots.ts';
import type { PermissionRule } from './rule.ts';
import type { PathRule, RuleSet } from './rule-set.ts';
import { factsOf } from './shell/part-facts.ts';
import type { ShellPart, ShellWord } from './shell/shell-word.ts';
import { workingDirectories } from './shell/working-directories.ts';
import { shownByGit, showsFilesOfGit } from './shown-by-git.ts';

/** The files of one command line, resolved against every directory it may stand in. */
export class CommandFiles {
  readonly #parts: readonly ShellPart[];
  readonly #cwd: string;
  #found: { readonly bases: readonly string[] | undefined } | undefined;

  constructor(parts: readonly ShellPart[], cwd: string) {
    this.#parts = parts;
    this.#cwd = cwd;
  }

  /** Undefined: the command goes somewhere that cannot be told. */
  get #bases(): readonly string[] | undefined {
    this.#found ??= { bases: workingDirectories(this.#parts, this.#cwd) };
    return this.#found.bases;
  }

  /** Whether this part names a file with secrets of our own. */
  namesSecret(part: ShellPart): boolean {
    const { suspects, access } = factsOf(part);
    const named = suspects.some((word) => {
      const places = word.glob === true ? (this.#matching(word) ?? []) : (this.places(word) ?? []);
      return places.some((place) => isOwnSecret(place.real) || isOwnSecret(place.literal));
    });
    return named || access.contents.some((word) => this.#linksToSecret(word));
  }

  /** Whether this part reads a whole directory with secrets of our own in it, or beneath it. */
  readsSecrets(part: ShellPart): 'inside' | 'beneath' | undefined {
    const { recursive, reads } = factsOf(part).access;
    if (!recursive) return undefined;
    const seesHidden =
      !SKIPS_HIDDEN.test(part.words[0]?.value ?? '') || part.words.some(showsHidden);
    const named = reads.flatMap((word) => this.places(word) ?? []).map((place) => place.real);
    const found = [...named, ...(this.#bases ?? [this.#cwd])].map((directory) =>
      secretsUnder(directory, seesHidden),
    );
    return found.find((each) => each === 'inside') ?? found.find((each) => each !== undefined);
  }

  /** A link may have any name. */
  #linksToSecret(word: ShellWord): boolean {
    if (word.glob === true || word.value === undefined) return false;
    const bases = path.isAbsolute(word.value) ? ['/'] : (this.#bases ?? [this.#cwd]);
    return bases.some((base) => {
      const file = path.resolve(base, word.value ?? '');
      return entryStatus(file)?.isSymbolicLink() === true && isOwnSecret(realPath(file));
    });
  }

  /** A deny or ask rule about files that this part certainly meets. */
  caught(part: ShellPart, set: RuleSet): PermissionRule | undefined {
    const { reads, writes, contents } = factsOf(part).access;
    return (
      (contents.some(namesFile) ? set.everyCall('Read') : undefined) ??
      this.#caughtBy(reads, READ_TOOLS, set) ??
      this.#caughtBy(writes, WRITE_TOOLS, set)
    );
  }

  /** The same for names that are known only at run time, and for directories read whole. */
  possiblyCaught(part: ShellPart, set: RuleSet): PermissionRule | undefined {
    const { reads, writes, recursive, unknownReads } = factsOf(part).access;
    const [readRules, writeRules] = [set.paths('Read'), set.paths('Write')];
    const every = set.everyCall('Read');
    if (every && (unknownReads || recursive || showsFilesOfGit(part))) return every;
    if (readRules.length > 0 && (unknownReads || this.#isLost(reads))) return readRules[0]?.rule;
    const shown = shownByGit(part, this.#bases ?? [this.#cwd], readRules);
    if (shown !== undefined) return shown;
    const unknownWrites = writes.some((word) => word.value === undefined) || this.#isLost(writes);
    if (writeRules.length > 0 && unknownWrites) return writeRules[0]?.rule;
    return recursive ? this.#lurking(reads, readRules) : undefined;
  }

  /** All places that a word may mean; undefined when they cannot be told. */
  places(word: ShellWord): readonly ResolvedPath[] | undefined {
    if (word.value === undefined) return undefined;
    const text = word.glob === true ? staticPrefix(word.value) : word.value;
    if (text === undefined) return undefined;
    if (path.isAbsolute(text)) return [resolvePath(text, '/')];
    return this.#bases?.map((base) => resolvePath(text, base));
  }

  isInside(word: ShellWord, roots: readonly string[]): boolean {
    const places = this.places(word);
    return places?.every((place) => isInside(place, roots)) === true;
  }

  #caughtBy(
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
      : rules.find(({ pattern }) => words.some((word) => this.#isCaught(word, pattern)))?.rule;
  }

  #isCaught(word: ShellWord, pattern: PathRule['pattern']): boolean {
    if (word.value === undefined) return false;
    if (word.glob === true) {
      if (this.#globs(word.value).some((glob) => pattern.mayCatch(glob))) return true;
      return this.#matching(word)?.some((place) => pattern.catches(place)) ?? true;
    }
    return this.places(word)?.some((place) => pattern.catches(place)) === true;
  }

  /** What a pattern stands for now, links followed; undefined when that is too much. */
  #matching(word: ShellWord): readonly ResolvedPath[] | undefined {
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

  /** Relative names in a directory that cannot be told. */
  #isLost(words: readonly ShellWord[]): boolean {
    return this.#bases === undefined && words.some((word) => !path.isAbsolute(word.value ?? '/'));
  }

  #lurking(words: readonly ShellWord[], rules: readonly PathRule[]): PermissionRule | undefined {
    if (rules.length === 0) return undefined;
    const named = words
      .flatMap((word) => this.places(word) ?? [])
      .flatMap((place) => [place.literal, place.real]);
    const directories = [...named, ...(this.#bases ?? [this.#cwd])];
    return rules.find(({ pattern }) =>
      directories.some((directory) => pattern.lurksUnder(directory)),
    )?.rule;
  }
}

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

/** What stands before the first wildcard; a step back after it could lead anywhere. */
function staticPrefix(value: string): string | undefined {
  const first = value.search(/[*?[{]/);
  const tail = first === -1 ? '' : value.slice(first);
  if (/(?:^|\/)\.\.(?:\/|$)/.test(tail)) return undefined;
  const head = first === -1 ? value : value.slice(0, first);
  return head.includes('/') ? head.slice(0, head.lastIndexOf('/') + 1) : '.';
}

/** An address of the web is no file. */
function namesFile(word: ShellWord): boolean {
  return !isDevice(word) && !/^https?:\/\//i.test(word.value ?? '');
}

/** Places where writing changes nothing. */
export function isDevice(word: ShellWord): boolean {
  return word.value !== undefined && /^\/dev\/(?:null|stdout|stderr|tty|fd\/\d+)$/.test(word.value);
}
