import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLAGS } from '../../src/arguments/flags.ts';
import { parseArguments, splitRules } from '../../src/arguments/parse-arguments.ts';

describe('parseArguments', () => {
  it('asks for nothing special when nothing is typed', () => {
    expect(parseArguments([])).toEqual({
      prompt: undefined,
      print: false,
      outputFormat: 'text',
      inputFormat: 'text',
      session: { kind: 'new' },
      name: undefined,
      model: undefined,
      provider: undefined,
      baseUrl: undefined,
      permissionMode: undefined,
      allowedTools: [],
      deniedTools: [],
      additionalDirectories: [],
      maxTurns: undefined,
      systemPrompt: undefined,
      appendSystemPrompt: undefined,
      language: undefined,
      persistence: true,
      trust: false,
      verbose: false,
      debug: false,
    });
  });

  it.each([
    [['-p', 'hi'], { kind: 'new' }],
    [['-p', 'hi', '--session-id', 'a.b-c_1'], { kind: 'new', sessionId: 'a.b-c_1' }],
    [['-p', '-c', 'hi'], { kind: 'latest', fork: false }],
    [['-p', '-r', 'abc', 'hi'], { kind: 'reference', reference: 'abc', fork: false }],
    [['-r', '--fork-session'], { kind: 'pick', fork: true }],
    [['-r'], { kind: 'pick', fork: false }],
    [['-c', '--fork-session'], { kind: 'latest', fork: true }],
  ])('reads the session of %j', (argv, session) => {
    expect(parseArguments(argv).session).toEqual(session);
  });

  it.each([
    [['--allowedTools', 'Read Bash(git log *)'], { allowedTools: ['Read', 'Bash(git log *)'] }],
    [
      ['--allowedTools=Read,Edit', '--allowed-tools', 'Glob'],
      { allowedTools: ['Read', 'Edit', 'Glob'] },
    ],
    [['--disallowedTools', 'Bash'], { deniedTools: ['Bash'] }],
    [['--disallowed-tools', 'Bash'], { deniedTools: ['Bash'] }],
    [['--dangerously-skip-permissions'], { permissionMode: 'bypassPermissions' }],
    [['--verbose'], { verbose: true }],
    [
      ['--mcp-config', '{"mcpServers":{"a":{"command":"x"}}}'],
      { mcpServers: { a: { command: 'x' } } },
    ],
    [['--', '--allowedTools'], { prompt: '--allowedTools', allowedTools: [] }],
  ])('reads %j, as Claude Code spells it', (argv, meant) => {
    expect(parseArguments(argv)).toMatchObject(meant);
  });

  it.each([
    [['--mcp-config', '/no/such/file'], /^Cannot read --mcp-config \/no\/such\/file/],
    [['--mcp-config', '{"a":1}'], /has no object "mcpServers"/],
    [['--mcp-config', '{"a'], /is not valid JSON/],
  ])('refuses %j', (argv, reason) => {
    expect(() => parseArguments(argv)).toThrow(reason);
  });

  it.each([
    [['--nope'], 'Unknown option "--nope". Run robota --help.'],
    [['--modle', 'x'], 'Unknown option "--modle". Did you mean --model? Run robota --help.'],
    [['--model'], '--model needs a value. Run robota --help.'],
    [
      ['-p', '--output-format', 'xml'],
      'Invalid --output-format "xml". Valid: text | json | stream-json',
    ],
    [
      ['--permission-mode', 'root'],
      'Invalid --permission-mode "root". Valid: plan | default | acceptEdits | bypassPermissions',
    ],
    [['--max-turns', '0'], 'Invalid --max-turns "0". Must be a positive integer.'],
    [['--max-turns', '1.5'], 'Invalid --max-turns "1.5". Must be a positive integer.'],
    [['-c', '-r', 'x'], '--continue and --resume exclude each other.'],
    [['--fork-session'], '--fork-session needs --continue or --resume.'],
    [
      ['-c', '--session-id', 'x'],
      '--session-id is for new sessions; it excludes --continue and --resume.',
    ],
    [
      ['-c', '--no-session-persistence'],
      '--no-session-persistence excludes --continue and --resume.',
    ],
    [['--output-format', 'json'], '--output-format and --input-format need -p.'],
    [
      ['-p', '--input-format', 'stream-json'],
      '--input-format stream-json needs --output-format stream-json.',
    ],
    [['-p', '-r'], 'With -p, --resume needs a session id or name.'],
    [
      ['--session-id', '../evil'],
      'Invalid --session-id "../evil". Use letters, digits, ".", "_" and "-", at most 128.',
    ],
  ])('refuses %j and says what to type', (argv, message) => {
    expect(() => parseArguments(argv)).toThrow(
      expect.objectContaining({ name: 'UsageError', message }),
    );
  });
});

it('splits rules at commas outside parentheses', () => {
  expect(splitRules('Read, Bash(git log, -1),,Edit(src/{a,b}/**)')).toEqual([
    'Read',
    'Bash(git log, -1)',
    'Edit(src/{a,b}/**)',
  ]);
});

it('describes every flag in the help', () => {
  const help = readFileSync(join(import.meta.dirname, '../../bin/help.txt'), 'utf8');

  expect(Object.keys(FLAGS).filter((name) => !help.includes(`--${name}`))).toEqual([]);
});
