import { UsageError } from '../usage-error.ts';

/** A flag that counts something: a whole number of at least one. */
export function readCount(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) {
    throw new UsageError(`Invalid ${flag} "${text}": a whole number from 1 on is needed.`);
  }
  return Number(text);
}
