import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createRedactor } from '../../../src/log/redact/redactor.ts';

const NODE_MODULES = join(import.meta.dirname, '../../../../../node_modules');
const ENOUGH = 12_000_000;

/** Sources, types, data and documentation of real packages, in a fixed order, until there is enough of it. */
function* realCode(): Generator<string> {
  let length = 0;
  const files = readdirSync(NODE_MODULES, { recursive: true, encoding: 'utf8' }).toSorted();
  for (const file of files) {
    if (file.startsWith('@robota-sdk') || !/\.(?:js|mjs|cjs|ts|json|md)$/.test(file)) continue;
    const text = readFileSync(join(NODE_MODULES, file), 'utf8');
    yield text;
    length += text.length;
    if (length > ENOUGH) return;
  }
}

it('replaces less than one thing in a million characters of real code', () => {
  const replaced: string[] = [];
  const redactor = createRedactor({ salt: 's', onSecret: ({ value }) => replaced.push(value) });

  let length = 0;
  for (const text of realCode()) {
    redactor.redactText(text);
    length += text.length;
  }

  expect(length).toBeGreaterThan(10_000_000);
  expect(replaced.length).toBeLessThan(length / 1_000_000);
});
