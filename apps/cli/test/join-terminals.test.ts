import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession, type SessionHost } from '@robota-sdk/agent-sdk';
import { openSessionSocket } from '@robota-sdk/agent-transport/run';
import { expect, it, onTestFinished, vi } from 'vitest';
import { joinTerminals } from '../src/commands/server/join-terminals.ts';

it('tries a terminal again that could not be joined at first, and reports that once', async () => {
  const home = mkdtempSync(join(tmpdir(), 'robota-join-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  vi.stubEnv('ROBOTA_HOME', home);
  onTestFinished(() => void vi.unstubAllEnvs());
  const provider = scriptedProvider(says('Hello.'));
  const session = new InteractiveSession({ cwd: home, provider, persistence: false, bare: true });
  onTestFinished(() => session.shutdown());
  const socket = await openSessionSocket(session, join(home, 'run'));
  onTestFinished(() => socket.close());
  let attempts = 0;
  const open: SessionHost['open'] = async () => {
    attempts += 1;
    throw new Error('Too late.');
  };
  const errors: unknown[] = [];

  const joining = joinTerminals({ get: () => undefined, open }, (error) => errors.push(error));
  onTestFinished(() => joining.stop());

  await vi.waitFor(() => expect(attempts).toBe(3), { timeout: 20_000 });
  expect(errors).toHaveLength(1);
});
