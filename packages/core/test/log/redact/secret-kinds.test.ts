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
  'in a file with numbered lines': (secret) => redactor.redactText(numbered(secret, '\t')),
  'in a numbered file in JSON': (secret) =>
    written({ out: JSON.stringify(numbered(secret, '\t')) }),
  'in a numbered file in JSON text': (secret) =>
    redactor.redactText(JSON.stringify({ out: numbered(secret, '→') })),
  'found by grep': (secret) => redactor.redactText(found(secret)),
  'found by grep in JSON': (secret) => redactor.redactText(JSON.stringify({ out: found(secret) })),
  'in a difference': (secret) =>
    redactor.redactText(`@@ -1 +1,3 @@\n${prefixed(secret, () => '+')}`),
  'in a quoted mail': (secret) => redactor.redactText(prefixed(secret, () => '> ')),
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

function prefixed(text: string, prefix: (line: number) => string): string {
  const lines = `first\n${text}\nlast`.split('\n');
  return lines.map((line, index) => prefix(index + 8) + line).join('\n');
}

/** As Read and `cat -n` show a file. */
function numbered(text: string, mark: string): string {
  return prefixed(text, (line) => `${String(line).padStart(6)}${mark}`);
}

function found(text: string): string {
  return prefixed(text, (line) => `deploy/keys-2.txt:${line}:`);
}

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
