import type { z } from 'zod';
import { describeIssue } from './describe-issue.ts';
import { WireError, type WireErrorCode } from './wire-error.ts';

/** What a stranger sent, checked: not JSON is `invalid_json`, anything else that is wrong has the code given. */
export function parseInput<Value>(
  text: string,
  schema: z.ZodType<Value>,
  code: WireErrorCode,
): Value {
  const value = parseJson(text);
  if (value === undefined) throw new WireError('invalid_json', 'This is not JSON.');
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new WireError(code, describeIssue(parsed.error, value));
}

/** JSON itself has no way to say undefined. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
