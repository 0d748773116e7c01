/** How much may run without approval. */
export type PermissionMode = 'plan' | 'default' | 'acceptEdits' | 'bypassPermissions';

/** How far a directory is trusted, as written in settings. */
export type TrustLevel = 'safe' | 'moderate' | 'full';

/** `approve`: a human must be asked. */
export type PermissionDecision = 'auto' | 'approve' | 'deny';

/** The permission mode of each trust level. */
export const TRUST_TO_MODE: Readonly<Record<TrustLevel, PermissionMode>> = {
  safe: 'plan',
  moderate: 'default',
  full: 'acceptEdits',
};

/** The rules for a call and the directories it runs in. */
export interface PermissionLists {
  readonly allow?: readonly string[];
  readonly deny?: readonly string[];
  readonly ask?: readonly string[];
  /** Base of relative paths and patterns; the process's directory by default. */
  readonly cwd?: string;
  /** Directories besides `cwd` that count as inside. */
  readonly additionalDirectories?: readonly string[];
  /** Git needs approval even when it only reads: the workspace is untrusted and no system sandbox confines commands. */
  readonly gitAsks?: boolean | undefined;
  /** The origin of each rule (a settings file, the session, a flag), for explanations. */
  readonly layers?: Readonly<Record<string, string>>;
}

/** A decision with its reason, for prompts and logs. */
export interface PermissionExplanation {
  readonly decision: PermissionDecision;
  /** One sentence that the user can act on. */
  readonly reason: string;
  /** For a denial: a rule (or a built-in guard), or only the mode. */
  readonly deniedBy?: 'rule' | 'mode';
  readonly rule?: string;
  readonly layer?: string;
  /** The part of a compound command that decided. */
  readonly part?: string;
  /** A rule that would allow this call from now on, shown in the prompt. */
  readonly suggestedPattern?: string;
  /** Read-only Bash without approval: this runs instead of the given text. */
  readonly run?: UnaskedCommand;
}

/** A command that runs without approval. */
export interface UnaskedCommand {
  /** Rendered from the checked syntax tree. */
  readonly command: string;
  /** It needs neither writes nor the network, so the system sandbox confines it where there is one. */
  readonly confine: boolean;
}
