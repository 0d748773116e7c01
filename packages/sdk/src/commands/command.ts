/** An entry of a command palette: something a person may type after a slash. */
export interface Command {
  readonly name: string;
  readonly description: string;
  /** The name of the source, such as `builtin` or `skill`. */
  readonly source?: string;
  readonly argumentHint?: string;
  readonly subcommands?: readonly Command[];
}

/** Port: where commands come from. `getCommands` is cheap to call again: a source that reads files keeps what it found. */
export interface CommandSource {
  readonly name: string;
  getCommands(): readonly Command[];
}
