import type { ResolvedPath } from '../paths/resolve-path.ts';
import { refuse } from './refusal.ts';

/** What a judgement is made against. */
export interface ReadPolicy {
  readonly cwd: string;
  /** Whether a place may be read without a question. */
  mayRead(place: ResolvedPath): boolean;
  /** Whether a file may be written without a question, as in acceptEdits. */
  mayWrite(place: ResolvedPath): boolean;
  /** Whether a rule allows this piece of the command by itself. */
  covers(source: string): boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Git is not started unasked: the repository may be hostile and nothing else holds it. */
  readonly gitAsks: boolean;
}

/** A variable that the command itself has set. */
export interface ScopeVariable {
  /** Every value it may have; undefined when only running tells. */
  readonly values?: readonly string[] | undefined;
  /** The name it has in the rendered text; without one its value is written out. */
  readonly renamed?: string | undefined;
}

/** A word after judging: what it may become, and the text that stands for it. */
export interface JudgedWord {
  /** Undefined: only running tells. */
  readonly values?: readonly string[] | undefined;
  readonly text: string;
  /** It was made from a pattern of file names. */
  readonly glob?: boolean;
  /** It holds the value of a variable. */
  readonly variable?: boolean;
  /** The shell will split it. */
  readonly splits?: boolean;
  /** It is `$?`. */
  readonly status?: boolean;
}

/** `top`: certainly run, in order, in this shell. `chain`: run if what stands before it succeeded. */
export type NodePlace = 'top' | 'chain' | 'inside';

interface JudgementTotals {
  parts: number;
  names: number;
  covered: boolean;
  writes: boolean;
  readonly repositories: Map<string, 'repository' | 'none'>;
}

const MOST_PARTS = 400;

/** Where the judgement of a command stands: directories, variables, and what was met so far. */
export class JudgementScope {
  readonly policy: ReadPolicy;
  /** The text that positions count in. */
  readonly source: string;
  readonly variables: Map<string, ScopeVariable>;
  /** Every directory that the command may stand in here. */
  directories: readonly string[];
  /** It came here through a link, so that `..` means one thing to the shell and another to the system. */
  cameByLink = false;
  /** The simple command being judged starts git. */
  startsGit = false;
  readonly totals: JudgementTotals;

  constructor(policy: ReadPolicy, source: string, outer?: JudgementScope) {
    this.policy = policy;
    this.source = source;
    this.variables = new Map(outer?.variables);
    this.directories = outer?.directories ?? [policy.cwd];
    this.cameByLink = outer?.cameByLink ?? false;
    this.totals = outer?.totals ?? {
      parts: 0,
      names: 0,
      covered: false,
      writes: false,
      repositories: new Map(),
    };
  }

  /** A subshell: what happens there stays there. */
  inner(source = this.source): JudgementScope {
    return new JudgementScope(this.policy, source, this);
  }

  countPart(): void {
    if (++this.totals.parts > MOST_PARTS) refuse('it has too many parts');
  }

  freshName(): string {
    return `r${++this.totals.names}`;
  }
}
