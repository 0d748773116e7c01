import { once } from 'node:events';
import { readdirSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import * as acp from '@agentclientprotocol/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPlace, type Place, runRobota, startRobota } from './support/run-robota.ts';
import { eventually, type Served, serve } from './support/served.ts';

const DEMO = ['--provider', 'demo'];
const SAID = 'it was cut. The session continues from its record';

let place: Place;
let id: string;
let log: string;

beforeEach(async () => {
  place = createPlace();
  await runRobota(place, ['-p', 'Hello', ...DEMO]);
  const folder = join(place.home, '.robota/logs');
  const [name = ''] = readdirSync(folder).filter((file) => file.endsWith('.jsonl'));
  id = name.replace('.jsonl', '');
  log = join(folder, name);
  truncateSync(log, Math.floor(statSync(log).size / 2));
});

afterEach(() => {
  place[Symbol.dispose]();
});

it('is told by -p, and nothing of it is overwritten', async () => {
  const before = readFileSync(log, 'utf8');

  const { code, stdout, stderr } = await runRobota(place, ['-p', 'Again', '--resume', id, ...DEMO]);

  expect(stderr.split(SAID)).toHaveLength(2);
  expect({ code, isAnswered: stdout !== '' }).toEqual({ code: 0, isAnswered: true });
  expect(readFileSync(log, 'utf8').startsWith(before)).toBe(true);
});

it('is told by robota mcp', async () => {
  const { stderr } = await runRobota(place, ['mcp', '--resume', id, ...DEMO]);

  expect(stderr.split(SAID)).toHaveLength(2);
});

it('is told by robota acp', async () => {
  const child = startRobota(place, ['acp', ...DEMO]);
  let stderr = '';
  child.stderr.on('data', (piece) => {
    stderr += String(piece);
  });
  const ended = once(child, 'close');
  const editor = acp
    .client({ name: 'editor' })
    .connect(
      acp.ndJsonStream(
        Writable.toWeb(child.stdin),
        Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
      ),
    );
  const { agent } = acp.methods;
  await editor.agent.request(agent.initialize, {
    protocolVersion: 1,
    clientCapabilities: {},
  });
  await editor.agent.request(agent.session.load, {
    sessionId: id,
    cwd: place.project,
    mcpServers: [],
  });
  child.stdin.end();
  await ended;

  expect(stderr.split(SAID)).toHaveLength(2);
});

it('is told to everybody who comes to a server', async () => {
  const server = await serve(place);
  const told = [await firstFrames(server, id), await firstFrames(server, id)];
  await server.stop();

  for (const frames of told) expect(frames.split(SAID)).toHaveLength(2);
});

/** What a follower hears up to the whole state of the session. */
async function firstFrames(server: Served, sessionId: string): Promise<string> {
  const { body } = await eventually(
    () => server.call('GET', `/api/sessions/${sessionId}/events`),
    ({ status }) => status === 200,
  );
  let text = '';
  for await (const piece of body ?? []) {
    text += Buffer.from(piece).toString();
    if (/event: snapshot\ndata: .*\n\n/.test(text)) break;
  }
  return text;
}
