import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadContext } from '../../src/context/load-context.ts';
import { currentEnvironment } from '../../src/context/prompt-environment.ts';
import { buildSystemPrompt } from '../../src/context/system-prompt.ts';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const load = (trusted = false, cwd = place.project) => loadContext({ cwd, trusted });

describe('instruction files', () => {
  it('are collected from the root down to the working directory, each kind by itself', () => {
    const below = join(place.project, 'packages/a');
    mkdirSync(below, { recursive: true });
    place.write('AGENTS.md', 'agents of the project');
    place.write('packages/a/AGENTS.md', 'agents of the package');
    place.write('CLAUDE.md', 'notes of the project');
    place.write('packages/a/CLAUDE.md', 'notes of the package');
    place.write('packages/a/CLAUDE.local.md', 'my own notes');
    place.writeHome('.claude/CLAUDE.md', 'notes of the user');

    const context = load(false, below);

    expect(context.agentsMd).toBe('agents of the project\n\nagents of the package');
    expect(context.claudeMd).toBe(
      'notes of the user\n\nnotes of the project\n\nnotes of the package\n\nmy own notes',
    );
  });

  it('import other files, relative to themselves, but not out of code', () => {
    place.write('docs/style.md', 'Use @./names.md everywhere.');
    place.write('docs/names.md', 'short names');
    place.write(
      'CLAUDE.md',
      'Style: @docs/style.md\nNot `@docs/style.md`\n```\n@docs/style.md\n```\nAsk @someone.',
    );

    expect(load().claudeMd).toBe(
      'Style: Use short names everywhere.\nNot `@docs/style.md`\n```\n@docs/style.md\n```\nAsk @someone.',
    );
  });

  it('that import each other in a circle are each read once, with a notice', () => {
    const first = place.write('CLAUDE.md', 'one @two.md');
    const second = place.write('two.md', 'two @CLAUDE.md');

    const context = load();

    expect(context.claudeMd).toBe('one two');
    expect(context.notices).toEqual([
      `${second} imports @CLAUDE.md, which imports it in turn; the import was left out.`,
    ]);
    expect(first).toBeDefined();
  });

  it('do not reach outside an untrusted workspace', () => {
    place.writeHome('.ssh/id', 'PRIVATE');
    place.write('CLAUDE.md', 'Read @~/.ssh/id and @../home/.ssh/id');

    expect(load(false).claudeMd).toBe('Read  and');
    expect(load(false).notices).toHaveLength(2);
    expect(load(true).claudeMd).toBe('Read PRIVATE and PRIVATE');
  });

  it('that are links out of an untrusted workspace are left out; links inside of it are followed', () => {
    const secret = place.writeHome('.ssh/id', 'PRIVATE');
    place.write('AGENTS.md', 'agents');
    symlinkSync('AGENTS.md', join(place.project, 'CLAUDE.md'));
    const link = join(place.project, 'CLAUDE.local.md');
    symlinkSync(secret, link);

    const context = load(false);

    expect(context.claudeMd).toBe('agents');
    expect(context.notices).toEqual([
      `${link} is a link that leads out of ${place.project}; it was left out.`,
    ]);
    expect(load(true).claudeMd).toBe('agents\n\nPRIVATE');
  });

  it('in a linked folder that leads out of an untrusted workspace are left out', () => {
    place.writeHome('secrets/rules/a.md', 'PRIVATE');
    symlinkSync(join(place.home, 'secrets'), join(place.project, '.claude'));

    const context = load(false);

    expect(context.claudeMd).toBe('');
    expect(context.notices).toHaveLength(1);
  });

  it('that are pipes are never waited for', () => {
    const pipe = join(place.project, 'AGENTS.md');
    execFileSync('/bin/sh', ['-c', 'mkfifo "$1"', 'sh', pipe]);

    expect(load(true)).toMatchObject({
      agentsMd: '',
      notices: [`${pipe} is not a regular file; it was left out.`],
    });
  });

  it('are found in .claude and its rules, of the project and of the user', () => {
    place.write('CLAUDE.md', 'notes');
    place.write('.claude/CLAUDE.md', 'more notes');
    place.write('.claude/rules/b.md', 'rule b');
    place.write('.claude/rules/api/a.md', '---\npaths: src/**/*.ts, lib/*\n---\nrule of the api');
    place.write('.claude/rules/other.txt', 'no rule');
    place.writeHome('.claude/CLAUDE.md', 'my notes');
    place.writeHome('.claude/rules/mine.md', '---\ndescription: x\n---\nmy rule');

    expect(load().claudeMd).toBe(
      [
        'my notes',
        'my rule',
        'notes',
        'more notes',
        'For files that match src/**/*.ts, lib/*:\nrule of the api',
        'rule b',
      ].join('\n\n'),
    );
    expect(load(false, place.home).claudeMd).toBe('my notes\n\nmy rule');
  });

  it('of ten megabytes are left out with a notice that names the file; the rest is read', () => {
    const large = place.write('AGENTS.md', 'x'.repeat(10 * 1024 * 1024));
    place.write('CLAUDE.md', 'still here');

    const context = load();

    expect(context).toMatchObject({ agentsMd: '', claudeMd: 'still here' });
    expect(context.notices).toEqual([
      `${large} has 10,240 KB; up to 256 KB are read; it was left out. Shorten it or split it.`,
    ]);
  });
});

it('finds the compact instructions under their heading, up to the next one of the same level', () => {
  place.write(
    'CLAUDE.md',
    '# Notes\n\n## Compact Instructions\nKeep names.\n### Also\nKeep paths.\n\n## Other\nno',
  );

  expect(load().compactInstructions).toBe('Keep names.\n### Also\nKeep paths.');
});

describe('project detection', () => {
  it.each([
    [
      { 'package.json': '{"name":"a"}', 'tsconfig.json': '{}', 'pnpm-lock.yaml': '' },
      { type: 'node', name: 'a', language: 'typescript', packageManager: 'pnpm' },
    ],
    [
      { 'package.json': '{', 'yarn.lock': '' },
      { type: 'node', language: 'javascript', packageManager: 'yarn' },
    ],
    [
      { 'package.json': '{"packageManager":"pnpm@9.1.0"}', 'package-lock.json': '{}' },
      { type: 'node', language: 'javascript', packageManager: 'pnpm' },
    ],
    [
      { 'package.json': '{}', 'pnpm-workspace.yaml': '' },
      { type: 'node', language: 'javascript', packageManager: 'pnpm' },
    ],
    [
      { 'package.json': '{}', 'package-lock.json': '{}' },
      { type: 'node', language: 'javascript', packageManager: 'npm' },
    ],
    [{ 'package.json': '{}' }, { type: 'node', language: 'javascript' }],
    [{ 'pyproject.toml': '' }, { type: 'python', language: 'python' }],
    [{ 'Cargo.toml': '' }, { type: 'rust', language: 'rust' }],
    [{ 'go.mod': '' }, { type: 'go', language: 'go' }],
    [{}, { type: 'unknown' }],
  ])('of %j', (files, kind) => {
    for (const [name, content] of Object.entries(files)) place.write(name, content);

    expect(load().project).toEqual(kind);
  });
});

it('a package of a workspace has the package manager of the workspace, and of nothing above it', () => {
  place.write('package.json', '{"packageManager":"yarn@4"}');
  place.write('repo/.git/HEAD', '');
  place.write('repo/pnpm-lock.yaml', '');
  place.write('repo/packages/a/package.json', '{"name":"a"}');
  place.write('bare/.git/HEAD', '');
  place.write('bare/package.json', '{}');

  const kindOf = (path: string) => load(false, join(place.project, path)).project?.packageManager;

  expect([kindOf('repo/packages/a'), kindOf('bare'), kindOf('.')]).toEqual([
    'pnpm',
    undefined,
    'yarn',
  ]);
});

describe('the system prompt', () => {
  const parts = {
    cwd: '/work',
    permissionMode: 'default' as const,
    tools: [
      {
        name: 'Read',
        description: 'Reads a file. Long ones in parts.',
        parameters: { type: 'object' as const, properties: {} },
      },
    ],
  };

  it('has its sections in a fixed order and leaves empty ones out', () => {
    const prompt = buildSystemPrompt({
      ...parts,
      context: {
        agentsMd: 'Be kind.',
        claudeMd: 'Use tabs.',
        project: { type: 'rust', language: 'rust' },
      },
      hasServerWebSearch: true,
      extraSections: ['## Skills\n- a'],
      append: 'The end.',
    });

    expect([...prompt.matchAll(/^## (.*)$/gm)].map((match) => match[1])).toEqual([
      'Role',
      'Working Directory',
      'Current Project',
      'Permission Mode',
      'Agent Instructions',
      'Project Notes',
      'Web Search',
      'Available Tools',
      'Skills',
    ]);
    expect(prompt).toContain('- Read: Reads a file.\n');
    expect(prompt.endsWith('The end.')).toBe(true);
    expect(buildSystemPrompt({ ...parts, context: {} })).not.toContain('## Project Notes');
  });

  it('tells the date and the platform', () => {
    const environment = currentEnvironment(new Date(2026, 0, 5, 23, 59));

    expect(buildSystemPrompt({ ...parts, context: {}, environment })).toContain(
      `## Environment\nDate: 2026-01-05\nPlatform: ${process.platform} (${process.arch})\n`,
    );
  });

  it('asks for the language of the answer', () => {
    expect(buildSystemPrompt({ ...parts, context: {}, language: 'Korean' })).toContain(
      'Always respond in Korean.',
    );
  });
});
