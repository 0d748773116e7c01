import type { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import { WireError, type WireErrorCode } from './wire-error.ts';

/** Parses and validates untrusted input: `invalid_json` for malformed JSON, `code` for everything else. */
export function parseInput<Value>(
  text: string,
  schema: z.ZodType<Value>,
  code: WireErrorCode,
): Value {
  const value = parseJson(text);
  if (value === undefined) throw new WireError('invalid_json', 'What was sent is not valid JSON.');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WireError(code, describeIssue(parsed.error, value));
}

/** Undefined for malformed JSON; valid JSON never parses to undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
