/** One word of a command line after quoting is undone. */
export interface ShellWord {
  /** As it stands in the source, quotes and all. */
  readonly raw: string;
  /** What the program will be given; undefined when only running the command can tell. */
  readonly value: string | undefined;
  /** The value holds unquoted wildcards that the shell will turn into file names. */
  readonly glob?: boolean;
  /** The value was looked up in an assignment of the same command. */
  readonly variable?: boolean;
  /** One of several values that a variable takes in turn; the others stand beside it. */
  readonly choice?: boolean;
}

export interface ShellRedirect {
  readonly kind: 'read' | 'write';
  readonly word: ShellWord;
}

/** One program that a command line starts, wherever in it. */
export interface ShellPart {
  /** For people: the piece of source that it came from. */
  readonly source: string;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly raw: string }[];
  readonly redirects: readonly ShellRedirect[];
  /** Programs that this one starts with the words it is given. */
  readonly inner?: readonly ShellPart[];
  /**
   * Who needs permission when there are inner parts. `transparent`: only they; `covering`: this one, and a
   * rule for it covers them; `separate`: each on its own.
   */
  readonly role?: 'transparent' | 'covering' | 'separate';
  /** Why it cannot be known what this will do. */
  readonly opaque?: string;
}

export interface ShellAnalysis {
  /** Every part, outer before inner, in the order of the source. */
  readonly parts: readonly ShellPart[];
  /** Why the text as a whole is not a command line that we understand. */
  readonly unparsable?: string;
  /** Why text that looks like data may be run: a rule for the program around it does not cover that. */
  readonly hazard?: string;
}
