/** How much may happen without asking. */
export type PermissionMode = 'plan' | 'default' | 'acceptEdits' | 'bypassPermissions';

/** How far a directory is trusted, as settings say it. */
export type TrustLevel = 'safe' | 'moderate' | 'full';

/** `approve` means that a human has to be asked. */
export type PermissionDecision = 'auto' | 'approve' | 'deny';

/** The permission mode that each trust level stands for. */
export const TRUST_TO_MODE: Readonly<Record<TrustLevel, PermissionMode>> = {
  safe: 'plan',
  moderate: 'default',
  full: 'acceptEdits',
};

/** The rules a call is judged by, and the place it is judged in. */
export interface PermissionLists {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  /** What relative paths and patterns start from; the process's directory when left out. */
  readonly cwd?: string;
  /** Further directories that count as inside, beside `cwd`. */
  readonly additionalDirectories?: readonly string[];
  /** Git asks even when it only looks: an untrusted workspace where no system sandbox holds commands. */
  readonly gitAsks?: boolean | undefined;
  /** Where a rule came from (a settings file, the session, a flag), for explanations. */
  readonly layers?: Readonly<Record<string, string>>;
}

/** A decision with its reason, for prompts and logs. */
export interface PermissionExplanation {
  readonly decision: PermissionDecision;
  /** One sentence a person can act on. */
  readonly reason: string;
  /** Of a denial: a rule or a guard that holds like one, or only the mode. */
  readonly deniedBy?: 'rule' | 'mode';
  readonly rule?: string;
  readonly layer?: string;
  /** The part of a compound command that decided. */
  readonly part?: string;
  /** A rule that would allow this call in future, to be shown in the prompt. */
  readonly suggestedPattern?: string;
  /** Bash that nobody approved, because it can only look: this is run instead of the given text. */
  readonly run?: UnaskedCommand;
}

/** A command that runs without a question. */
export interface UnaskedCommand {
  /** Rendered from the judged syntax. */
  readonly command: string;
  /** It needs neither to write nor the network: where the system can hold it to that, it does. */
  readonly confine: boolean;
}
