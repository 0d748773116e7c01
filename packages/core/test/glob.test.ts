import { compileGlob } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { describe, expect, it } from 'vitest';

const matches = (pattern: string, path: string) => compileGlob(pattern).matches(path);

describe('a glob', () => {
  it.each([
    ['*.ts', 'a.ts', true],
    ['*.ts', 'src/a.ts', false],
    ['**/*.ts', 'a.ts', true],
    ['**/*.ts', 'src/deep/a.ts', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'src', false],
    ['src/**/test/*.ts', 'src/test/a.ts', true],
    ['src/**/test/*.ts', 'src/a/b/test/a.ts', true],
    ['src/**/test/*.ts', 'src/a/b/test/c/a.ts', false],
    ['.e*', '.env', true],
    ['*', '.env', true],
    ['?.md', 'é.md', true],
    ['?.md', '😀.md', true],
    ['[😀-😂].md', '😁.md', true],
    ['[]', '[]', true],
    ['[a-c]?.md', 'b1.md', true],
    ['[!a-c]*', 'b1.md', false],
    ['[^a-c]*', 'd1.md', true],
    ['[]a]', ']', true],
    ['*.{ts,tsx}', 'a.tsx', true],
    ['{src/{a,b},test}/*.ts', 'src/b/x.ts', true],
    ['{src/{a,b},test}/*.ts', 'src/c/x.ts', false],
    ['*.@(ts|tsx)', 'a.tsx', true],
    ['a?(b).c', 'a.c', true],
    ['app/[id]/page.tsx', 'app/[id]/page.tsx', true],
    ['app/[id]/page.tsx', 'app/i/page.tsx', true],
    [String.raw`a\*b`, 'a*b', true],
    [String.raw`a\*b`, 'axb', false],
    ['notes (1).txt', 'notes (1).txt', true],
    ['a(/b*', 'a(/bc', true],
    ['{a/b*', '{a/bc', true],
    ['./a/*', 'a/b', true],
    ['a**b', 'axyb', true],
    ['a**b', 'ax/yb', false],
    ['*?(a)*', 'a/b', false],
  ])('%j and %j: %j', (pattern, path, expected) => {
    expect(matches(pattern, path)).toBe(expected);
  });

  it('ignores case only if told to', () => {
    expect(compileGlob('Secret*').matches('secret.txt')).toBe(false);
    expect(compileGlob('Secret*', { ignoreCase: true }).matches('sECRET.txt')).toBe(true);
  });

  it('matches repeated and negated groups never for certain, but possibly any text', () => {
    for (const pattern of ['+(a|b).txt', '*(a).txt', '!(a).txt', '{1..3}.txt']) {
      const glob = compileGlob(pattern);
      expect({ pattern, sure: glob.matches('x.txt') }).toEqual({ pattern, sure: false });
      expect({ pattern, may: glob.mayMatch('x.txt') }).toEqual({ pattern, may: true });
      expect({ pattern, other: glob.mayMatch('x.md') }).toEqual({ pattern, other: false });
    }
  });

  it.each(['{a,b}'.repeat(20), `{${'{a,b}'.repeat(20)},c}`, 'a'.repeat(5_000), '{'.repeat(5_000)])(
    'may match anything where it stands for too much',
    (pattern) => {
      expect(compileGlob(pattern).mayMatch('zzz')).toBe(true);
      expect(compileGlob(pattern).matches('zzz')).toBe(false);
    },
  );

  // A regular expression takes longer than the age of the universe for these.
  it.each([
    [`${'*a'.repeat(60)}b`, 'a'.repeat(250)],
    [`${'**/'.repeat(60)}x`, `${'d/'.repeat(500)}y`],
    [`${'**/*/'.repeat(60)}x`, `${'d/'.repeat(500)}y`],
    [`${'[a-z]*'.repeat(60)}!`, 'a'.repeat(250)],
    ['+(a|aa|aaa)+(a|aa)b', 'a'.repeat(250)],
    [`${'{a,aa}*'.repeat(9)}b`, 'a'.repeat(250)],
  ])('answers at once for %s', (pattern, path) => {
    expect(compileGlob(pattern).matches(path)).toBe(false);
  });

  it('agrees with picomatch on ordinary patterns', () => {
    const pieces = ['a', 'b', '.', 'ab', '*', '?', '[ab]', '[^a]', '[a-c]', '{a,b}', '{a,b*.c}'];
    const name = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 });
    const segment = fc.oneof(
      { weight: 4, arbitrary: name.map((parts) => parts.join('')) },
      { weight: 1, arbitrary: fc.constant('**') },
    );
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'ab', 'x.c', 'b.c'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(
        fc.array(segment, { minLength: 1, maxLength: 4 }),
        fc.array(text, { minLength: 1, maxLength: 5 }),
        (segments, names) => {
          // Only here do they differ: whether a folder itself is part of what lies in it.
          const isAll = segments.length === 1;
          fc.pre(isAll || segments.at(-1) !== '**');
          fc.pre(!segments.some((part) => /^\.+$|\*\*./.test(part) || /.\*\*/.test(part)));
          const [pattern, path] = [segments.join('/'), names.join('/')];
          expect([pattern, path, matches(pattern, path)]).toEqual([
            pattern,
            path,
            picomatch(pattern, { dot: true })(path),
          ]);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});
