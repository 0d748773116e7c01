import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { COMMAND_WORDS } from '../src/commands/command-help.ts';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';

let place: Place;

beforeEach(() => {
  place = createPlace();
});
afterEach(() => {
  place[Symbol.dispose]();
});

const words = Object.entries(COMMAND_WORDS).flatMap(([command, verbs]) => [
  [command],
  ...(command === 'sessions' ? verbs.map((verb) => [command, verb]) : []),
]);

it.each(words)('robota %s %s --help says how to use it', async (...command) => {
  const { code, stdout, stderr } = await runRobota(place, [...command, '--help']);

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: robota .*${command.at(-1)}`));
  expect(stdout.length).toBeGreaterThan(60);
});

/** What bash offers for a line, with the cursor at its end. */
async function completed(line: string): Promise<string[]> {
  const { stdout: script } = await runRobota(place, ['completion', 'bash']);
  const given = line.split(' ');
  const list = given.map((word) => `'${word}'`).join(' ');
  const call = `COMP_WORDS=(${list}); COMP_CWORD=${given.length - 1}; _robota; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const bash = spawnSync('bash', ['--norc', '-c', `${script}\n${call}`], { encoding: 'utf8' });
  expect(bash.stderr).toBe('');
  return bash.stdout.split('\n').filter(Boolean);
}

it.each([
  ['robota se', ['sessions', 'search', 'serve']],
  ['robota sessions ex', ['export']],
  ['robota --permission-mode ac', ['acceptEdits']],
  ['robota --mcp', ['--mcp-config']],
  ['robota completion ', ['bash', 'zsh', 'fish']],
])('bash completes "%s"', async (line, offered) => {
  expect(await completed(line)).toEqual(offered);
});

it.each(['zsh', 'fish'])('prints a script for %s that names commands and flags', async (shell) => {
  const { code, stdout } = await runRobota(place, ['completion', shell]);

  expect(code).toBe(0);
  for (const word of ['sessions', 'export', 'permission-mode', 'acceptEdits']) {
    expect(stdout).toContain(word);
  }
});

it('names the shells it knows', async () => {
  const { code, stderr } = await runRobota(place, ['completion', 'tcsh']);

  expect(code).toBe(2);
  expect(stderr).toContain('robota completion bash|zsh|fish');
});
