import { evaluatePermission } from '@robota-sdk/agent-core';
import { expect, it } from 'vitest';

/** Deny rules of a project apply before it is trusted, so nothing they say may hold the program up. */
const HOSTILE = [
  `Read(${'*a'.repeat(40)}b)`,
  `Read(${'**/'.repeat(40)}x)`,
  `Read(${'**/*/'.repeat(40)}x)`,
  'Read(+(a|aa|aaa)+(a|aa)b)',
  'Read(!(a*a*a*a*a)*(a|a)b)',
  `Read(${'{a,aa}'.repeat(9)}b)`,
];

it.each(HOSTILE)('%s answers at once for files and for words of commands', (rule) => {
  const options = { deny: [rule], cwd: '/tmp/project' };
  const name = 'a'.repeat(200);

  const read = (filePath: string) => evaluatePermission('Read', { filePath }, 'default', options);
  expect(read(`/tmp/project/${name}`)).toMatch(/auto|deny/);
  expect(read(`/tmp/project/${'d/'.repeat(80)}y`)).toBe('auto');
  const command = `cat ${'*a'.repeat(40)} ${'*/'.repeat(40)}y`;
  expect(evaluatePermission('Bash', { command }, 'default', options)).toMatch(/auto|approve|deny/);
});

it('a rule with a group that cannot be listed denies what it may mean, and allows nothing', () => {
  const place = { cwd: '/tmp/project' };
  const read = (rules: object) =>
    evaluatePermission('Write', { filePath: '/tmp/project/a.key' }, 'default', {
      ...place,
      ...rules,
    });

  expect(read({ deny: ['Write(+(a|b).key)'] })).toBe('deny');
  expect(read({ deny: ['Write(+(a|b).pem)'] })).toBe('approve');
  expect(read({ allow: ['Write(+(a|b).key)'] })).toBe('approve');
  expect(read({ allow: ['Write(@(a|b).key)'] })).toBe('auto');
});
