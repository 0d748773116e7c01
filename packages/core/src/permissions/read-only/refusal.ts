/** Stops the check: the command does not match the grammar, so approval is needed. */
export class ReadOnlyRefusal extends Error {
  override readonly name = 'ReadOnlyRefusal';
}

export function refuse(reason: string): never {
  // Without a stack trace, which would cost more than the check; the message is shown to the user.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const refusal = new ReadOnlyRefusal(reason);
  Error.stackTraceLimit = limit;
  throw refusal;
}
