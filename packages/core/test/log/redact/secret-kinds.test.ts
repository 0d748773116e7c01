import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../../src/log/redact/redactor.ts';
import { createFill, leaks, plant, SECRET_KINDS } from './secret-kinds.ts';

const redactor = createRedactor({ salt: 'pepper' });

/** The forms in which a secret reaches a file. */
const FORMS: Readonly<Record<string, (secret: string) => string>> = {
  'as text': (secret) => redactor.redactText(secret),
  'between lines': (secret) => redactor.redactText(`first\n${secret}\nlast`),
  'behind a tab': (secret) => redactor.redactText(`first\t${secret}\tlast`),
  'in JSON': (secret) => redactor.redactText(JSON.stringify({ out: `first\n${secret}\nlast` })),
  'in JSON in JSON': (secret) =>
    redactor.redactText(JSON.stringify({ out: JSON.stringify({ in: `a\n${secret}\nb` }) })),
  'in JSON three deep': (secret) =>
    redactor.redactText(
      JSON.stringify([JSON.stringify([JSON.stringify({ deep: `a\t${secret}\nb` })])]),
    ),
  'in colour': (secret) => redactor.redactText(`\u001b[31m${secret}\u001b[0m`),
  'in an object': (secret) => written({ list: [{ text: `x ${secret}` }] }),
  'as JSON in an object': (secret) => written({ result: JSON.stringify({ text: `x\n${secret}` }) }),
  'in an error': (secret) => written(new Error(`failed: ${secret}`)),
  'in the cause of an error': (secret) =>
    written(new Error('failed', { cause: new Error(secret) })),
  'from toJSON': (secret) => written({ of: { toJSON: () => ({ text: `y ${secret}` }) } }),
  'in pairs': (secret) => written([['note', ` ${secret}`]]),
  'in a map': (secret) => written(new Map([['note', secret]])),
};

function written(value: unknown): string {
  return JSON.stringify(redactor.redactValue(value));
}

describe.each(Object.keys(SECRET_KINDS))('a secret of the kind %s', (kind) => {
  it.each(Object.keys(FORMS))('is not seen %s', (form) => {
    for (let seed = 1; seed <= 10; seed++) {
      const { text, parts } = plant(SECRET_KINDS[kind] ?? '', createFill(seed * 7919));

      expect(leaks(FORMS[form]?.(text) ?? '', parts)).toEqual([]);
    }
  });
});

it('knows at least 63 kinds', () => {
  expect(Object.keys(SECRET_KINDS).length).toBeGreaterThanOrEqual(63);
});
