import type { ResolvedPath } from '../paths/resolve-path.ts';
import { refuse } from './refusal.ts';

/** What a command may read, write and run without approval. */
export interface ReadPolicy {
  readonly cwd: string;
  /** Whether a path may be read without approval. */
  mayRead(place: ResolvedPath): boolean;
  /** Whether a file may be written without approval, as in acceptEdits. */
  mayWrite(place: ResolvedPath): boolean;
  /** Whether a rule allows this part of the command by itself. */
  covers(source: string): boolean;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Git needs approval: the repository may be hostile and no sandbox confines it. */
  readonly gitAsks: boolean;
}

/** A variable set by the command itself. */
export interface ScopeVariable {
  /** Every value it may have; undefined when it is known only at run time. */
  readonly values?: readonly string[] | undefined;
  /** Its name in the rendered text; without one, its value is inlined. */
  readonly renamed?: string | undefined;
}

/** A checked word: its possible values and its rendered text. */
export interface JudgedWord {
  /** Undefined when they are known only at run time. */
  readonly values?: readonly string[] | undefined;
  readonly text: string;
  /** It comes from a glob. */
  readonly glob?: boolean;
  /** It contains the value of a variable. */
  readonly variable?: boolean;
  /** The shell will split it. */
  readonly splits?: boolean;
  /** It is `$?`. */
  readonly status?: boolean;
}

/** `top`: certainly runs, in order, in this shell. `chain`: runs if the commands before it succeeded. */
export type NodePlace = 'top' | 'chain' | 'inside';

interface JudgementTotals {
  parts: number;
  names: number;
  covered: boolean;
  writes: boolean;
  readonly repositories: Map<string, 'repository' | 'none'>;
}

const MAX_PARTS = 400;

/** The state of checking a command: directories, variables and totals. */
export class JudgementScope {
  readonly policy: ReadPolicy;
  /** The text that positions refer to. */
  readonly source: string;
  readonly variables: Map<string, ScopeVariable>;
  /** Every directory that the command may be in at this point. */
  directories: readonly string[];
  /** It was entered through a link, so the shell and the system resolve `..` differently. */
  enteredByLink = false;
  /** The simple command being checked starts git. */
  startsGit = false;
  readonly totals: JudgementTotals;

  constructor(policy: ReadPolicy, source: string, outer?: JudgementScope) {
    this.policy = policy;
    this.source = source;
    this.variables = new Map(outer?.variables);
    this.directories = outer?.directories ?? [policy.cwd];
    this.enteredByLink = outer?.enteredByLink ?? false;
    this.totals = outer?.totals ?? {
      parts: 0,
      names: 0,
      covered: false,
      writes: false,
      repositories: new Map(),
    };
  }

  /** A subshell: its changes do not affect this scope. */
  inner(source = this.source): JudgementScope {
    return new JudgementScope(this.policy, source, this);
  }

  countPart(): void {
    if (++this.totals.parts > MAX_PARTS) refuse('it has too many parts');
  }

  freshName(): string {
    return `r${++this.totals.names}`;
  }
}
