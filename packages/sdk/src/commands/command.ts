/** An entry of a command palette: what a user may type after a slash. */
export interface Command {
  readonly name: string;
  readonly description: string;
  /** The name of the source, such as `builtin` or `skill`. */
  readonly source?: string;
  readonly argumentHint?: string;
  readonly subcommands?: readonly Command[];
}

/** Port: where commands come from. `getCommands` must be cheap to call repeatedly; a source that reads files caches. */
export interface CommandSource {
  readonly name: string;
  getCommands(): readonly Command[];
}
