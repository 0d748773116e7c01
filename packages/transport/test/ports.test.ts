import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const source = join(import.meta.dirname, '../src');
const IMPLEMENTATIONS = /\b(InteractiveSession|AgentLiveSession|FollowedSession|AgentSession)\b/;

it('depends on ports only: no transport names the engine classes', () => {
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const naming = files
    .filter((name) => name.endsWith('.ts'))
    .filter((name) => IMPLEMENTATIONS.test(readFileSync(join(source, name), 'utf8')));

  expect(files.length).toBeGreaterThan(20);
  expect(naming).toEqual([]);
});
