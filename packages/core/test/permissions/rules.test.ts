import { homedir } from 'node:os';
import { evaluatePermission } from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';
import { makeProject } from './project.ts';

const { cwd, outside } = makeProject();

function allows(rule: string, tool: string, args: Record<string, unknown>): boolean {
  return evaluatePermission(tool, args, 'plan', { cwd, allow: [rule] }) === 'auto';
}

function denies(rule: string, tool: string, args: Record<string, unknown>): boolean {
  return evaluatePermission(tool, args, 'bypassPermissions', { cwd, deny: [rule] }) === 'deny';
}

describe('command rules', () => {
  it.each([
    ['Bash', 'anything at all', true],
    ['Bash(*)', 'anything | at all', true],
    ['Bash(**)', 'anything', true],
    ['Bash()', 'anything', true],
    ['Bash(npm test)', 'npm test', true],
    ['Bash(npm test)', 'npm test --x', false],
    ['Bash(npm test *)', 'npm test', true],
    ['Bash(npm test *)', 'npm test --x y', true],
    ['Bash(npm test *)', 'npm testing', false],
    ['Bash(npm test:*)', 'npm test', true],
    ['Bash(npm test:*)', 'npm test a/b "c d"', true],
    ['Bash(npm test:*)', 'npm tester', false],
    ['Bash(npm test*)', 'npm testing', true],
    ['Bash(npm * --dry-run)', 'npm publish --dry-run', true],
    ['Bash(npm * --dry-run)', 'npm publish', false],
    ['Bash(npm *)', 'npm install; rm -rf /', false],
    ['Bash(npm *)', 'npm install && rm -rf /', false],
    ['Bash(npm *)', 'npm install\nrm -rf /', false],
    ['Bash(npm *)', 'npm install $(rm -rf /)', false],
    ['Bash(npm *)', 'npm install `rm -rf /`', false],
    ['Bash(npm *)', 'npm install <(rm x)', false],
    ['Bash(npm *)', 'npm install > x', false],
    ['Bash(npm *)', 'npm install & rm x', false],
    ['Bash(npm *)', 'FOO=1 npm install', false],
    ['Bash(npm *)', 'NODE_ENV=test npm install', true],
    ['Bash(FOO=1 npm *)', 'FOO=1 npm install', true],
    ['Bash(npm *)', 'timeout 5 npm install', true],
    ['Bash(npm *)', 'sudo npm install', false],
    ['Bash(sudo npm *)', 'sudo npm install', true],
    ['Bash(npm *)', 'xargs npm install', false],
    ['Bash(npm *)', 'env FOO=1 npm install', false],
    ['Bash(npm *)', 'npm install | tee log', false],
    ['Bash(npm *)', 'npm install $X', true],
    ['Bash(npm *)', '  npm   install', true],
    ['Bash(npm *)', '"npm" install', true],
    ['Bash(npm *)', '/usr/bin/npm install', true],
    ['Bash(npm *)', './npm install', false],
    ['Bash(npm *)', '/tmp/npm install', false],
    ['Bash(npm *)', '/usr/bin/../../tmp/npm install', false],
    ['Bash(npm test *)', 'npm "test --x"', false],
    ['Bash(npm test *)', 'np""m te\\st', true],
    ['Bash(find *)', 'find . -name x', true],
    ['Bash(find *)', 'find . -exec rm {} ;', false],
    ['Bash(git commit *)', 'git commit -m "a/b (c)"', true],
    ['Bash(git commit *)', "git commit -m 'x; rm y'", true],
    ['Bash(git commit *)', 'git -c core.editor=rm commit', false],
    ['Bash(bash *)', "bash -c 'npm test'", true],
    ['Bash(npm *)', "bash -c 'npm test'", true],
    ['Bash(npm *)', "bash -c 'npm test; rm x'", false],
    ['bash(npm *)', 'npm test', false],
  ])('%s on %j: %s', (rule, command, expected) => {
    expect(allows(rule, 'Bash', { command })).toBe(expected);
  });

  it.each(['rm -rf x', 'rm -fr x', 'rm -r -f x', 'rm x -rf', '/bin/rm -f -r -- x'])(
    'match one-letter options in any order: %j',
    (command) => {
      expect([
        denies('Bash(rm -rf *)', 'Bash', { command }),
        denies('Bash(rm -fr:*)', 'Bash', { command }),
        denies('Bash(rm -i *)', 'Bash', { command }),
      ]).toEqual([true, true, false]);
    },
  );

  it('covers background processes as well', () => {
    expect(denies('Bash(rm *)', 'BackgroundProcess', { command: 'rm x' })).toBe(true);
  });

  it('takes the working directory of the call into account', () => {
    const args = { command: 'cat .env', workingDirectory: '..' };

    expect([denies('Read(../.env)', 'Bash', args), denies('Read(/.env)', 'Bash', args)]).toEqual([
      true,
      false,
    ]);
  });
});

describe('file rules', () => {
  it.each([
    ['Read(src/**)', 'src/b.ts', true],
    ['Read(src/**)', './src/b.ts', true],
    ['Read(src/**)', `${cwd}/src/b.ts`, true],
    ['Read(src/**)', 'src/../a.txt', false],
    ['Read(src/**)', 'srcs/a.txt', false],
    ['Read(src/)', 'src/deep/b.ts', true],
    ['Read(/src/**)', 'src/b.ts', true],
    ['Read(/etc/**)', '/etc/passwd', true],
    ['Read(//etc/**)', '/etc/passwd', true],
    ['Read(//etc/**)', 'etc/passwd', false],
    ['Read(~/notes/**)', `${homedir()}/notes/a`, true],
    ['Read(~/notes/**)', '~/notes/a', true],
    ['Read(~/notes/**)', '~/notes/../a', false],
    ['Read(*.txt)', 'a.txt', true],
    ['Read(*.txt)', 'src/a.txt', false],
    ['Read(**/*.txt)', 'src/deep/a.txt', true],
    ['Read(.*)', '.env', true],
    ['Read(*)', '/anything', true],
    ['Read(**)', '/anything', true],
    ['Read', '/anything', true],
    ['Read(outlink/**)', 'outlink/passwd', true],
    ['Read(src/**)', 'outlink/passwd', false],
    ['Read(../outside/**)', `${outside}/passwd`, true],
    ['read(src/**)', '/etc/passwd', false],
  ])('%s allows %s: %s', (rule, filePath, expected) => {
    const asked = evaluatePermission('Read', { filePath }, 'default', {
      cwd,
      allow: [rule],
      ask: [],
    });
    const covered = evaluatePermission('Edit', { filePath }, 'plan', {
      cwd,
      allow: [rule.replace('Read', 'Edit').replace('read', 'edit')],
    });

    expect([asked === 'auto' || !expected, covered === 'auto']).toEqual([true, expected]);
  });

  it.each([
    ['Read(.env)', '.env'],
    ['Read(.env)', 'src/.env'],
    ['Read(./.env)', '.env'],
    ['Read(secrets)', 'secrets/key.pem'],
    ['Read(secrets/**)', 'public/key.pem'],
    ['Read(public/**)', 'secrets/key.pem'],
    ['Read(secrets/*)', 'secrets/deep/er'],
    ['Read(/etc/**)', '/tmp/../etc/passwd'],
    ['Read(/etc/**)', '//etc/passwd'],
    ['Read(/etc/**)', '/etc/./passwd'],
    ['Read(//etc/**)', '../../../../../../../../etc/passwd'],
    ['Read(~/.ssh/**)', '~/.ssh/id_rsa'],
    ['Read(~/.ssh/**)', `${homedir()}/.ssh/id_rsa`],
    ['Read(*.pem)', 'secrets/key.pem'],
    ['Read(outlink/**)', `${outside}/passwd`],
  ])('%s denies %s', (rule, filePath) => {
    expect(denies(rule, 'Read', { filePath })).toBe(true);
  });

  it('applies Edit rules to every tool that writes, and Write rules only to Write', () => {
    const tools = ['Edit', 'Write', 'MultiEdit', 'NotebookEdit', 'Read'];

    const byRule = ['Edit(src/**)', 'Write(src/**)'].map((rule) =>
      tools.map((tool) => denies(rule, tool, { file_path: 'src/b.ts', notebook_path: 'src/b.ts' })),
    );

    expect(byRule).toEqual([
      [true, true, true, true, false],
      [false, true, false, false, false],
    ]);
  });

  it('applies Read rules to searches, whose own rules name a pattern or a path', () => {
    expect([
      denies('Read(secrets/**)', 'Grep', { pattern: 'x', path: 'secrets' }),
      denies('Read(secrets/**)', 'Glob', { pattern: 'secrets/*.pem' }),
      denies('Read(secrets/**)', 'Glob', { pattern: '*.pem', path: 'public' }),
      denies('Grep(password*)', 'Grep', { pattern: 'password=' }),
      denies('Read(secrets/**)', 'Glob', { pattern: 'src/*.ts' }),
      allows('Glob(.agents/**)', 'Glob', { pattern: '.agents/**/*.md' }),
    ]).toEqual([true, true, true, true, false, true]);
  });

  it('lets the search filter what a Read rule denies in part, and denies what a Glob rule names', () => {
    expect([
      denies('Read(secrets/**)', 'Glob', { pattern: '*' }),
      denies('Read(secrets/**)', 'Glob', { pattern: '**/*.ts' }),
      denies('Read(**/*.pem)', 'Glob', { pattern: '*.pem' }),
      denies('Read(secrets/**)', 'Glob', { pattern: 'secrets/**' }),
      denies('Glob(secrets/**)', 'Glob', { pattern: '**/*.ts' }),
    ]).toEqual([false, false, true, true, true]);
  });

  it('treats wildcard characters in the project path as plain text', () => {
    const odd = `${cwd}/[odd] (dir)`;
    const decide = (filePath: string) =>
      evaluatePermission('Edit', { filePath }, 'plan', { cwd: odd, allow: ['Edit(src/**)'] });

    expect([decide('src/a'), decide(`${cwd}/o/src/a`)]).toEqual(['auto', 'deny']);
  });
});

describe('rules for other tools', () => {
  it.each([
    ['mcp__github', 'mcp__github__create_issue', {}, true],
    ['mcp__github__*', 'mcp__github__create_issue', {}, true],
    ['mcp__github__create_issue', 'mcp__github__create_issue', {}, true],
    ['mcp__github', 'mcp__githubber__x', {}, false],
    ['mcp__git', 'mcp__github__x', {}, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com/x' }, true],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://EXAMPLE.com.:8080/x' }, true],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://example.com@evil.org/' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://evil.org/example.com' }, false],
    ['WebFetch(domain:example.com)', 'WebFetch', { url: 'https://notexample.com' }, false],
    ['WebFetch(domain:*.example.com)', 'WebFetch', { url: 'https://api.example.com' }, true],
    ['Agent(reviewer)', 'Agent', { subagent_type: 'reviewer', prompt: 'x' }, true],
    ['Agent(reviewer)', 'Agent', { subagentType: 'writer', prompt: 'reviewer' }, false],
    ['Agent(reviewer)', 'Task', { subagent_type: 'reviewer' }, true],
    ['Skill(deploy)', 'Skill', { skill: 'deploy' }, true],
    ['Skill(deploy:*)', 'Skill', { skill: 'deploy prod' }, true],
    ['Skill(deploy)', 'Skill', { skill: 'destroy' }, false],
    ['Mystery', 'Mystery', { x: 1 }, true],
    ['Mystery(*)', 'Mystery', { x: 1 }, true],
    ['Mystery(a*)', 'Mystery', { x: 'abc' }, true],
    ['Mystery(a*)', 'Mystery', { x: 'abc', y: 'b' }, false],
  ])('%s allows %s %j: %s', (rule, tool, args, expected) => {
    const decision = evaluatePermission(tool, args, 'default', { cwd, allow: [rule] });

    expect(decision === 'auto').toBe(expected);
    if (tool === 'WebFetch') expect(denies(rule, tool, args)).toBe(expected);
  });

  it.each([
    ['bücher.de', 'http://bücher.de/'],
    ['bücher.de', 'http://xn--bcher-kva.de/'],
    ['*.bücher.de', 'http://a.xn--bcher-kva.de/'],
    ['xn--bcher-kva.de', 'http://BÜCHER.de/'],
    ['example.com.', 'http://example.com/'],
    ['https://example.com', 'http://example.com/'],
    ['https://example.com/docs', 'http://example.com/docs'],
    ['example.com:8080', 'http://example.com:8080/'],
    ['::1', 'http://[0:0:0:0:0:0:0:1]/'],
    ['127.0.0.1', 'http://2130706433/'],
    ['127.0.0.1', 'http://0177.0.0.1/'],
    ['example.com', 'http://example。com/'],
    ['example.com', 'http://example%2ecom/'],
  ])('denies a host in every spelling: %s, %s', (domain, url) => {
    expect(denies(`WebFetch(domain:${domain})`, 'WebFetch', { url })).toBe(true);
  });

  it('does not allow more of a host than a rule names', () => {
    const allows = (domain: string) =>
      evaluatePermission('WebFetch', { url: 'http://example.com/x' }, 'default', {
        cwd,
        allow: [`WebFetch(domain:${domain})`],
      });

    expect(['example.com/docs', 'example.com:8080', 'a@example.com'].map(allows)).toEqual(
      Array.from({ length: 3 }, () => 'approve'),
    );
    expect(
      ['example.com', 'EXAMPLE.com.', 'https://example.com', '*ample.com'].map(allows),
    ).toEqual(Array.from({ length: 4 }, () => 'auto'));
  });

  it('denies subdomains with their domain, and a URL that cannot be parsed', () => {
    expect([
      denies('WebFetch(domain:example.com)', 'WebFetch', { url: 'https://api.example.com' }),
      denies('WebFetch(domain:example.com)', 'WebFetch', { url: 'not a url' }),
      denies('Mystery(bad*)', 'Mystery', { x: 'ok', y: 'bad thing' }),
    ]).toEqual([true, true, true]);
  });
});
