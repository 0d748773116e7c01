/** What a confined command may do: only read, or write in the project and a temporary folder; never use the network. */
export type ConfinementKind = 'read-only' | 'workspace';

export interface ConfinedCommand {
  readonly kind: ConfinementKind;
  readonly command: string;
  readonly shell: string;
  readonly workingDirectory: string;
  /** The project: visible even below temporary folders, and writable for `workspace`. */
  readonly roots: readonly string[];
}

/** A program with arguments that starts the command confined. */
export interface ConfinedStart {
  readonly file: string;
  readonly args: readonly string[];
  /** Extra descriptors, starting at 3. */
  readonly descriptors: readonly number[];
  /** Call after the process has started. */
  started(): void;
  /** Call after the process has ended. */
  ended(): void;
}

/** Port: confines commands with the operating system; `start` throws when this command cannot be confined. */
export interface Confinement {
  readonly name: 'bubblewrap' | 'seatbelt';
  start(command: ConfinedCommand): ConfinedStart;
}

/** Whether commands can be confined here, or why not. */
export type ConfinementState =
  | { readonly available: true; readonly confinement: Confinement }
  | { readonly available: false; readonly reason: string };
