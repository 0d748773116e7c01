import {
  evaluatePermission,
  explainPermission,
  type PermissionMode,
  TRUST_TO_MODE,
} from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeProject } from './project.ts';

const { cwd, outside } = makeProject();
const MODES: readonly PermissionMode[] = ['plan', 'default', 'acceptEdits', 'bypassPermissions'];

function inEveryMode(tool: string, args: Record<string, unknown>, lists: object = {}) {
  return MODES.map((mode) => evaluatePermission(tool, args, mode, { cwd, ...lists }));
}

describe('without a matching rule the mode decides', () => {
  it.each([
    ['Bash', { command: 'npm test' }, ['deny', 'approve', 'approve', 'auto']],
    ['Bash', { command: 'ls' }, ['deny', 'auto', 'auto', 'auto']],
    ['BackgroundProcess', { command: 'npm start' }, ['deny', 'approve', 'approve', 'auto']],
    ['Write', { filePath: 'x' }, ['deny', 'approve', 'auto', 'auto']],
    ['Edit', { filePath: 'x' }, ['deny', 'approve', 'auto', 'auto']],
    ['Read', { filePath: 'a.txt' }, ['auto', 'auto', 'auto', 'auto']],
    ['Glob', { pattern: '**/*.ts' }, ['auto', 'auto', 'auto', 'auto']],
    ['Grep', { pattern: 'x' }, ['auto', 'auto', 'auto', 'auto']],
    ['WebFetch', { url: 'https://example.com' }, ['deny', 'approve', 'approve', 'auto']],
    ['WebSearch', { query: 'x' }, ['auto', 'auto', 'auto', 'auto']],
    ['Mystery', {}, ['deny', 'approve', 'approve', 'auto']],
    ['constructor', {}, ['deny', 'approve', 'approve', 'auto']],
    ['mcp__files__read', { path: 'x' }, ['deny', 'approve', 'approve', 'auto']],
    ['Read', { filePath: '/etc/passwd' }, ['deny', 'approve', 'approve', 'auto']],
    ['Read', { filePath: '../outside/passwd' }, ['deny', 'approve', 'approve', 'auto']],
    ['Read', { filePath: 'outlink/passwd' }, ['deny', 'approve', 'approve', 'auto']],
    ['Read', { file_path: 'filelink' }, ['deny', 'approve', 'approve', 'auto']],
    ['Write', { file_path: '/etc/x' }, ['deny', 'approve', 'approve', 'auto']],
    ['Write', { filePath: 'dangling' }, ['deny', 'approve', 'approve', 'auto']],
    ['Edit', { filePath: '.git/config' }, ['deny', 'approve', 'approve', 'auto']],
    ['Write', { filePath: '.claude/settings.json' }, ['deny', 'approve', 'approve', 'auto']],
    ['Glob', { pattern: '/etc/*' }, ['deny', 'approve', 'approve', 'auto']],
    ['Glob', { pattern: '../**' }, ['deny', 'approve', 'approve', 'auto']],
    ['Grep', { pattern: 'x', path: '/etc' }, ['deny', 'approve', 'approve', 'auto']],
  ])('%s %j', (tool, args, expected) => {
    expect(inEveryMode(tool, args)).toEqual(expected);
  });

  it('counts additional directories as inside', () => {
    const lists = { additionalDirectories: ['../outside'] };

    expect([
      inEveryMode('Read', { filePath: `${outside}/passwd` }, lists),
      inEveryMode('Read', { filePath: 'outlink/passwd' }, lists),
      inEveryMode('Bash', { command: 'cat outlink/passwd' }, lists).slice(1),
    ]).toEqual([
      ['auto', 'auto', 'auto', 'auto'],
      ['auto', 'auto', 'auto', 'auto'],
      ['auto', 'auto', 'auto'],
    ]);
  });

  it('maps every trust level to a mode', () => {
    expect(TRUST_TO_MODE).toEqual({ safe: 'plan', moderate: 'default', full: 'acceptEdits' });
  });
});

describe('rules come before the mode', () => {
  it('denies first, then asks, then allows, in every mode', () => {
    const args = { command: 'npm test' };

    expect([
      inEveryMode('Bash', args, { deny: ['Bash(npm *)'], ask: ['Bash'], allow: ['Bash'] }),
      inEveryMode('Bash', args, { ask: ['Bash(npm *)'], allow: ['Bash'] }),
      inEveryMode('Bash', args, { allow: ['Bash(npm *)'] }),
    ]).toEqual([
      ['deny', 'deny', 'deny', 'deny'],
      ['deny', 'approve', 'approve', 'approve'],
      ['auto', 'auto', 'auto', 'auto'],
    ]);
  });

  it('explains a decision by its rule, its layer and the matching part', () => {
    const explanation = explainPermission(
      'Bash',
      { command: 'npm test && rm -rf dist' },
      'default',
      {
        cwd,
        allow: ['Bash(npm *)'],
        deny: ['Bash(rm *)'],
        layers: { 'Bash(rm *)': 'project settings' },
      },
    );

    expect(explanation).toEqual({
      decision: 'deny',
      deniedBy: 'rule',
      reason: 'Denied by rule Bash(rm *) (project settings) for “rm -rf dist”.',
      rule: 'Bash(rm *)',
      layer: 'project settings',
      part: 'rm -rf dist',
    });
  });

  it('explains why a command needs approval', () => {
    const explanation = explainPermission(
      'Bash',
      { command: 'ls && npm test -- --watch' },
      'default',
      { cwd },
    );

    expect(explanation).toEqual({
      decision: 'approve',
      reason: 'No rule allows it: “npm test -- --watch”.',
      part: 'npm test -- --watch',
      suggestedPattern: 'Bash(npm test:*)',
    });
  });

  it.each([
    ['Bash', { command: 'npm test' }, 'default', 'No rule allows it.'],
    ['SomethingNew', {}, 'default', 'No rule covers this call.'],
    ['SomethingNew', {}, 'plan', 'Denied in mode plan.'],
    ['SomethingNew', {}, 'bypassPermissions', 'Allowed in mode bypassPermissions.'],
  ] as const)('says in a sentence why %s %j is decided in mode %s', (tool, input, mode, reason) => {
    expect(explainPermission(tool, input, mode, { cwd }).reason).toBe(reason);
  });

  it('applies a list that was changed in place', () => {
    const deny = ['Bash(make *)'];
    const before = inEveryMode('Bash', { command: 'npm test' }, { deny });
    deny[0] = 'Bash(npm *)';

    expect([before, inEveryMode('Bash', { command: 'npm test' }, { deny })]).toEqual([
      ['deny', 'approve', 'approve', 'auto'],
      ['deny', 'deny', 'deny', 'deny'],
    ]);
  });

  it('still runs commands that cannot be parsed under bypassPermissions when nothing is denied', () => {
    expect(inEveryMode('Bash', { command: '$CMD x' })).toEqual([
      'deny',
      'approve',
      'approve',
      'auto',
    ]);
  });

  it('never lets a rule allow what cannot be parsed', () => {
    expect(
      inEveryMode('Bash', { command: 'echo "open' }, { allow: ['Bash(echo *)', 'Bash'] }),
    ).toEqual(['deny', 'approve', 'approve', 'auto']);
  });
});
