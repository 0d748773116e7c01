import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { robotaHome } from '@robota-sdk/agent-sdk';

/** A session held by a running terminal of this user. */
export interface HeldSession {
  readonly id: string;
  readonly cwd: string | undefined;
  readonly state: 'idle' | 'working' | 'waiting' | 'failed';
}

const SOCKET = '.sock';
/** A terminal that does not answer in this time is skipped, so that it does not delay the list. */
const ANSWER_MS = 300;

/** The current state of sessions held by terminals, queried on their sockets. */
export async function heldSessions(): Promise<HeldSession[]> {
  const folder = join(robotaHome(), 'run');
  const names = await readdir(folder).catch(() => []);
  const paths = names.filter((name) => name.endsWith(SOCKET)).map((name) => join(folder, name));
  const answers = await Promise.all(paths.map((path) => ask(path).catch(() => [])));
  return answers.flat();
}

function ask(socketPath: string): Promise<HeldSession[]> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath, path: '/api/sessions', timeout: ANSWER_MS }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        try {
          const list = JSON.parse(Buffer.concat(chunks).toString());
          resolve((list as { readonly sessions: HeldSession[] }).sessions ?? []);
        } catch (error) {
          reject(error);
        }
      });
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', reject);
    asked.end();
  });
}
