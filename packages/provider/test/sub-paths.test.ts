import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCE = join(import.meta.dirname, '../src');

/** The packages loaded by a file, found by following its runtime imports. */
function loadedPackages(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  for (const match of code.matchAll(/^(?:import|export)\s(?!type\b)[^;]*?from '([^']+)'/gms)) {
    const name = match[1] ?? '';
    const next = join(dirname(file), name);
    if (name.startsWith('.') && existsSync(next)) {
      for (const found of loadedPackages(next, seen)) packages.add(found);
    } else if (!name.startsWith('node:')) packages.add(name);
  }
  return packages;
}

describe('sub-paths', () => {
  it.each([
    ['anthropic', ['@ai-sdk/anthropic', '@ai-sdk/provider', '@robota-sdk/agent-core']],
    ['google', ['@ai-sdk/google', '@ai-sdk/provider', '@robota-sdk/agent-core']],
    [
      'openai',
      ['@ai-sdk/openai', '@ai-sdk/openai-compatible', '@ai-sdk/provider', '@robota-sdk/agent-core'],
    ],
    ['replay', ['@robota-sdk/agent-core']],
    ['demo', ['@robota-sdk/agent-core']],
  ])("%s loads only its own vendor's package", (vendor, packages) => {
    expect([...loadedPackages(join(SOURCE, vendor, 'index.ts'))].sort()).toEqual(packages);
  });
});
