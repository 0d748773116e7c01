import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { finished, type Place, type RunResult, startRobota } from './run-robota.ts';

const FAKES = join(import.meta.dirname, '../../../../packages/transcript/test/fake-agents');

/** A running `robota serve`. */
export interface Served {
  readonly url: string;
  readonly token: string;
  readonly child: ChildProcessWithoutNullStreams;
  /** What it said in the end. */
  readonly ended: Promise<RunResult>;
  /** Asks it, as its owner unless another token is given. */
  call(method: string, path: string, body?: object, token?: string): Promise<Response>;
  json<Answer>(method: string, path: string, body?: object): Promise<Answer>;
  stop(): Promise<RunResult>;
}

/** Puts the scripted agent programs where a shell would find the real ones. */
export function installFakePrograms(place: Place): Readonly<Record<string, string>> {
  const folder = join(place.home, 'bin');
  mkdirSync(folder, { recursive: true });
  for (const name of ['claude', 'codex', 'gemini']) {
    symlinkSync(join(FAKES, `fake-${name}.mjs`), join(folder, name));
  }
  // The scripted Claude Code writes where it is told to, and nowhere else.
  const config = join(place.home, '.claude');
  return { PATH: `${folder}:${process.env.PATH ?? ''}`, CLAUDE_CONFIG_DIR: config };
}

/** Starts a server on a free port and waits until it says where. */
export async function serve(
  place: Place,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const all = [
    'serve',
    '--port',
    '0',
    ...(args.includes('--provider') ? [] : ['--provider', 'demo']),
    ...args,
  ];
  const child = startRobota(place, all, env);
  const ended = finished(child);
  // A test that fails leaves nothing running.
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdout.on('data', (chunk) => {
      text += String(chunk);
      if (text.includes('\n')) resolve(text.split('\n')[0] ?? '');
    });
    void ended.then(({ code, stderr }) => reject(new Error(`It ended with ${code}: ${stderr}`)));
  });
  const token = readFileSync(join(place.home, '.robota/server-token'), 'utf8').trim();
  const call: Served['call'] = (method, path, body, shown = token) =>
    fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${shown}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
  return {
    url,
    token,
    child,
    ended,
    call,
    json: async (method, path, body) => (await call(method, path, body)).json(),
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Looks until it is so. */
export async function eventually<Value>(
  look: () => Promise<Value> | Value,
  isIt: (value: Value) => boolean,
): Promise<Value> {
  for (;;) {
    const value = await look();
    if (isIt(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
