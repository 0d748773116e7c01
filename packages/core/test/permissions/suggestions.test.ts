import { evaluatePermission, explainPermission } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeProject } from './project.ts';

const { cwd, outside } = makeProject();

function suggestion(tool: string, args: Record<string, unknown>): string | undefined {
  return explainPermission(tool, args, 'default', { cwd }).suggestedPattern;
}

describe('the suggested rule', () => {
  it.each([
    ['npm test -- --watch', 'Bash(npm test:*)'],
    ['npm run build --silent', 'Bash(npm run build:*)'],
    ['git commit -m "x"', 'Bash(git commit:*)'],
    ['docker compose up -d', 'Bash(docker compose up:*)'],
    ['eslint src --fix', 'Bash(eslint:*)'],
    ['rm -rf dist', 'Bash(rm -rf dist)'],
    ['python3 script.py', 'Bash(python3 script.py)'],
    ['git -C x push', 'Bash(git -C x push)'],
    ['ls && make test', 'Bash(make test:*)'],
    ['./scripts/run.sh fast', 'Bash(./scripts/run.sh:*)'],
  ])('is narrow and allows %j next time', (command, expected) => {
    const again = evaluatePermission('Bash', { command }, 'default', { cwd, allow: [expected] });

    expect([suggestion('Bash', { command }), again]).toEqual([expected, 'auto']);
  });

  it.each([
    'sudo ls',
    'env X=1 npm test',
    "bash -c 'npm test' extra; $X",
    'xargs rm',
    'FOO=1 npm test',
    '$CMD x',
    'echo "open',
    'sh -c \'x\' > "$Y"',
  ])('never allows arbitrary commands: %j', (command) => {
    expect(suggestion('Bash', { command }) ?? 'none').not.toMatch(
      /Bash\((?:sudo|env|bash|sh|xargs)[ :]/,
    );
  });

  it('names the directory of a file', () => {
    expect([
      suggestion('Edit', { filePath: 'src/deep/a.ts' }),
      suggestion('Write', { file_path: 'top.ts' }),
      suggestion('Read', { filePath: `${outside}/passwd` }),
      suggestion('Bash', { command: 'ls > out/list' }),
    ]).toEqual(['Edit(src/deep/**)', 'Edit(top.ts)', `Read(/${outside}/**)`, 'Edit(out/**)']);
  });

  it.each([
    ['Edit', { filePath: 'src/deep/a.ts' }],
    ['Write', { filePath: 'top.ts' }],
    ['Write', { filePath: `${outside}/new` }],
    ['Read', { filePath: `${outside}/passwd` }],
    ['Bash', { command: 'ls > out/list' }],
    ['Agent', { subagentType: 'reviewer', prompt: 'x' }],
    ['mcp__github__create', { title: 'x' }],
  ])('allows the same call of %s next time: %j', (tool, args) => {
    const rule = suggestion(tool, args) ?? 'none';

    expect(evaluatePermission(tool, args, 'default', { cwd, allow: [rule] })).toBe('auto');
  });

  it('is omitted when no approval is needed', () => {
    expect([
      suggestion('Bash', { command: 'ls' }),
      suggestion('Read', { filePath: 'a.txt' }),
    ]).toEqual([undefined, undefined]);
  });
});
