/** One word of a command line after quote removal. */
export interface ShellWord {
  /** As written in the source, with quotes. */
  readonly raw: string;
  /** The program's argument; undefined when it is known only at run time. */
  readonly value: string | undefined;
  /** The value contains unquoted wildcards that the shell expands to file names. */
  readonly glob?: boolean;
  /** The value comes from an assignment in the same command. */
  readonly variable?: boolean;
  /** One of several values that a variable may have; the others are separate words beside it. */
  readonly choice?: boolean;
}

export interface ShellRedirect {
  readonly kind: 'read' | 'write';
  readonly word: ShellWord;
}

/** One program that a command line starts, at any depth. */
export interface ShellPart {
  /** The source text of this part, for messages. */
  readonly source: string;
  readonly words: readonly ShellWord[];
  readonly assignments: readonly { readonly name: string; readonly raw: string }[];
  readonly redirects: readonly ShellRedirect[];
  /** Programs that this one starts with its arguments. */
  readonly inner?: readonly ShellPart[];
  /**
   * Which parts need permission when there are inner ones. `transparent`: only the inner parts; `covering`: this one,
   * and its rule covers them; `separate`: each one.
   */
  readonly role?: 'transparent' | 'covering' | 'separate';
  /** Why its effect cannot be known. */
  readonly opaque?: string;
}

export interface ShellAnalysis {
  /** Every part, outer before inner, in source order. */
  readonly parts: readonly ShellPart[];
  /** Why the text is not a command line that we can parse. */
  readonly unparsable?: string;
  /** Why text that looks like data may run as code, which a rule for the program around it does not cover. */
  readonly hazard?: string;
}
