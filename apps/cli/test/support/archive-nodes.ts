import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import postgres from 'postgres';
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { finished, type Place, type RunResult, startRobota } from './run-robota.ts';

/** A `robota serve` that shares an archive with others. */
export interface ServedNode {
  readonly name: string;
  readonly child: ChildProcessWithoutNullStreams;
  readonly url: string;
  readonly token: string;
  readonly server: RemoteServer;
  end(signal: NodeJS.Signals): Promise<RunResult>;
}

export interface NodeOptions {
  readonly archive: string;
  readonly name: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** Starts a node whose lease is short, and waits until it says where it serves. */
export async function serveNode(place: Place, options: NodeOptions): Promise<ServedNode> {
  const { archive, name, args = [], env = {} } = options;
  const own = ['serve', '--port', '0', '--provider', 'demo', '--archive', archive, '--node', name];
  const child = startRobota(place, [...own, ...args], {
    ROBOTA_ARCHIVE_TTL_MS: '4000',
    ROBOTA_ARCHIVE_LOOK_MS: '200',
    ...env,
  });
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
  return {
    name,
    child,
    url,
    token,
    server: new RemoteServer({ url, token, WebSocket }),
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}

/** A database of its own: the command uses one schema. */
export async function createDatabase(serverUrl: string) {
  const name = `robota_test_${crypto.randomUUID().replaceAll('-', '')}`;
  const sql = postgres(serverUrl, { max: 1, onnotice: () => undefined });
  await sql.unsafe(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: String(url),
    async [Symbol.asyncDispose]() {
      await sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
      await sql.end();
    },
  };
}
