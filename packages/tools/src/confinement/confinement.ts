/** How a command is held: it may only read, or write in the project and a temporary folder. Never the network. */
export type ConfinementKind = 'read-only' | 'workspace';

export interface ConfinedCommand {
  readonly kind: ConfinementKind;
  readonly command: string;
  readonly shell: string;
  readonly workingDirectory: string;
  /** The project: what is visible below temporary folders, and what a `workspace` may write. */
  readonly roots: readonly string[];
}

/** A program with its words that starts the command and holds it. */
export interface ConfinedStart {
  readonly file: string;
  readonly args: readonly string[];
  /** Further descriptors, beginning with 3. */
  readonly descriptors: readonly number[];
  /** To be called once the process has been started. */
  started(): void;
  /** To be called once the process has ended. */
  ended(): void;
}

/** Port: what the operating system offers to hold commands. `start` throws when this one cannot be held. */
export interface Confinement {
  readonly name: 'bubblewrap' | 'seatbelt';
  start(command: ConfinedCommand): ConfinedStart;
}

/** Whether commands can be held here; if not, why. */
export type ConfinementState =
  | { readonly available: true; readonly confinement: Confinement }
  | { readonly available: false; readonly reason: string };
