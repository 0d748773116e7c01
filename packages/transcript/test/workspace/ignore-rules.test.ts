import { expect, it } from 'vitest';
import { IgnoreRules } from '../../src/workspace/ignore-rules.ts';

const ROOT = `
# comment
*.log
!keep.log
/dist
build/
docs/**/draft
src/*.{js,map}
[ab].txt
\\#notes
trailing\\ 
spaced   
`;

it.each([
  ['a.log', false, true],
  ['deep/down/a.log', false, true],
  ['deep/keep.log', false, false],
  ['dist', true, true],
  ['deep/dist', true, false],
  ['build', true, true],
  ['build', false, false],
  ['deep/build', true, true],
  ['docs/draft', false, true],
  ['docs/a/b/draft', false, true],
  ['docs/a/b/other', false, false],
  ['src/a.js', false, false],
  ['src/a.{js,map}', false, true],
  ['a.txt', false, true],
  ['c.txt', false, false],
  ['#notes', false, true],
  ['trailing ', false, true],
  ['spaced', false, true],
])('%s (folder: %s) is ignored: %s', (path, isFolder, expected) => {
  expect(IgnoreRules.NONE.with('', ROOT).isIgnored(path, isFolder)).toBe(expected);
});

it('applies rules of a folder below it, and lets the last one win', () => {
  const rules = IgnoreRules.NONE.with('', '*.tmp\n').with('a[1]', '/own\n!x.tmp\n');

  expect(rules.isIgnored('a[1]/own', false)).toBe(true);
  expect(rules.isIgnored('a[1]/b/own', false)).toBe(false);
  expect(rules.isIgnored('own', false)).toBe(false);
  expect(rules.isIgnored('a[1]/x.tmp', false)).toBe(false);
  expect(rules.isIgnored('a[1]/y.tmp', false)).toBe(true);
});

// As regular expressions these took minutes; a repository brings its own rules and names.
it.each([
  [`${'*a'.repeat(40)}b`, 'a'.repeat(250)],
  [`${'**/*/'.repeat(30)}x`, `${'d/'.repeat(400)}y`],
])('answers at once for %s', (rule, path) => {
  expect(IgnoreRules.NONE.with('', rule).isIgnored(path, false)).toBe(false);
});
