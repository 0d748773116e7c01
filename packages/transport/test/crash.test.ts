import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import type { LiveSession } from '@robota-sdk/agent-sdk';
import { RemoteServer } from '@robota-sdk/agent-transport/client';
import { afterAll, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { bundleProgram } from '../../../test/bundle-program.ts';
import { FAKE_PROGRAMS, fakeProgram } from '../../sdk/test/live/fake-programs.ts';
import { TOKEN, usePlace } from './support/place.ts';

const { file: program, remove } = await bundleProgram(
  join(import.meta.dirname, 'support/server-process.ts'),
);
afterAll(remove);
const place = usePlace();
const AGENTS = [{ name: 'robota', hanging: 'wait' }, ...FAKE_PROGRAMS];

it.each(AGENTS)(
  'every surface of $name returns to the same blocks after the server was killed during a turn',
  async ({ name, hanging }) => {
    const first = await startServer('0');
    const server = new RemoteServer({ ...first.address, WebSocket, minReconnectMs: 20 });
    const id = await server.createSession({ agent: name });
    const [ada, grace] = [server.openSession(id), server.openSession(id)];
    place.after(() => Promise.all([ada.shutdown(), grace.shutdown()]));
    await Promise.all([ada.whenReady(), grace.whenReady()]);
    await ada.submit('before');
    const cutOff = ada.submit(hanging);
    await until(ada, () => texts(ada).length > 1);
    const waiting = ada.submit('after');
    await until(ada, () => ada.getQueue().length === 1);

    await kill(first.child);
    const second = await startServer(new URL(first.address.url).port);
    place.after(() => kill(second.child));

    expect((await cutOff).status).toBe('interrupted');
    expect((await waiting).status).toBe('completed');
    await until(grace, () => !grace.isExecuting() && prompts(grace).length === 3);
    expect(prompts(ada)).toEqual(['before', hanging, 'after']);
    expect(grace.getBlocks()).toEqual(ada.getBlocks());
    const late = server.openSession(id);
    place.after(() => late.shutdown());
    await late.whenReady();
    expect(late.getBlocks()).toEqual(ada.getBlocks());
    expect(late.getStreamEpoch()).toBe(ada.getStreamEpoch());
  },
);

async function startServer(port: string) {
  const fakes = dirname(fakeProgram('claude').command);
  const child = spawn(process.execPath, [program, place.project, place.home, port, fakes], {
    env: { ...process.env, SERVER_TOKEN: TOKEN },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  place.after(() => kill(child));
  const [line] = await once(child.stdout, 'data');
  return { child, address: { url: String(line).trim(), token: TOKEN } };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Checks the condition after every event. */
function until(session: LiveSession, isReached: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const look = () => {
      if (isReached()) resolve();
    };
    for (const name of ['stream_event', 'queue', 'resync', 'thinking', 'turn_end'] as const) {
      session.on(name, look);
    }
    look();
  });
}

function texts(session: LiveSession): unknown[] {
  return session.getConversation().blocks.filter(({ type }) => type === 'assistant_text');
}

function prompts(session: LiveSession): unknown[] {
  const { blocks } = session.getConversation();
  return blocks.flatMap((block) => (block.type === 'user_message' ? [block.content] : []));
}
