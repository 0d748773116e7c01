/** Ends a judgement: something does not fit the grammar, so a person has to be asked. */
export class ReadOnlyRefusal extends Error {
  override readonly name = 'ReadOnlyRefusal';
}

export function refuse(reason: string): never {
  throw new ReadOnlyRefusal(reason);
}
