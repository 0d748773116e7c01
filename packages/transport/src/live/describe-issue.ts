import type { z } from 'zod';

/** Describes a validation error: which field, and what it accepts. */
export function describeIssue({ issues }: z.ZodError, value: unknown): string {
  const unknown = issues.find(({ code }) => code === 'unrecognized_keys');
  const issue = missing(issues, value) ?? unknown ?? issues[0];
  if (!issue) return 'The message is not understood.';
  const field = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => JSON.stringify(field === '' ? key : `${field}.${key}`));
    return `Unknown ${names.length > 1 ? 'fields' : 'field'} ${names.join(', ')}.`;
  }
  if (field === '' || at(value, issue.path) !== undefined) {
    return `${field || 'message'}: ${issue.message}`;
  }
  return `The field "${field}" is missing; it takes ${taken(issue)}.`;
}

/** Prefers a missing field over an unknown one, which is often its misspelling. */
function missing(issues: readonly z.core.$ZodIssue[], value: unknown) {
  return issues.find(
    ({ code, path }) =>
      code !== 'unrecognized_keys' && path.length > 0 && at(value, path) === undefined,
  );
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, key) =>
      inner === null || inner === undefined ? undefined : Reflect.get(Object(inner), key),
    value,
  );
}

function taken(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type') return `a ${issue.expected}`;
  if (issue.code === 'invalid_value') return `one of ${issue.values.map(String).join(', ')}`;
  return issue.message;
}
