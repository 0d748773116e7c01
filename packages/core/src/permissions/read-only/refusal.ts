/** Ends a judgement: something does not fit the grammar, so a person has to be asked. */
export class ReadOnlyRefusal extends Error {
  override readonly name = 'ReadOnlyRefusal';
}

export function refuse(reason: string): never {
  // It is caught a few calls up and shown as a sentence: collecting a stack would cost more than the judgement.
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  const refusal = new ReadOnlyRefusal(reason);
  Error.stackTraceLimit = limit;
  throw refusal;
}
