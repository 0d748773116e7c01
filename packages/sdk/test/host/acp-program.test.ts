import { scriptedProvider } from '@robota-sdk/agent-core/testing';
import { openAgentPlace, SessionHost, trustDirectory } from '@robota-sdk/agent-sdk';
import { afterEach, expect, it } from 'vitest';
import { fakeProgram } from '../live/fake-programs.ts';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const hosts: SessionHost[] = [];

afterEach(async () => {
  for (const host of hosts.splice(0)) await host.closeAll();
});

it('drives an agent that only the settings know, by the command they name', async () => {
  place.writeHome('.robota/settings.json', settings('mine'));
  const host = openHost();

  const session = await host.create({ agent: 'acp:mine' });
  const outcome = await session.submit('one');

  expect(session.agent).toBe('acp:mine');
  expect(outcome).toMatchObject({
    status: 'completed',
    result: { response: 'Answer to one after 0' },
  });
});

it('starts nothing that a directory names before it is trusted', async () => {
  place.write('.robota/settings.json', settings('theirs'));
  const host = openHost();

  await expect(host.create({ agent: 'acp:theirs' })).rejects.toMatchObject({
    code: 'unknown_agent',
    message: expect.stringContaining('"agents": { "theirs": { "command"'),
  });
  await trustDirectory(place.project);
  const session = await host.create({ agent: 'acp:theirs' });

  expect((await session.submit('one')).status).toBe('completed');
});

it('tells of an agent that it cannot be copied, and which commands it has', async () => {
  place.writeHome('.robota/settings.json', settings('qwen'));
  const host = openHost();
  const session = await host.create({ agent: 'acp:qwen' });

  await session.submit('facts');

  expect(session.getCapabilities().fork).toBe(false);
  expect(session.listCommands()).toEqual([{ name: 'sum', description: 'Sums up' }]);
});

function settings(name: string): object {
  return { agents: { [name]: fakeProgram('acp') } };
}

function openHost(): SessionHost {
  const host = new SessionHost({
    defaults: { cwd: place.project, provider: scriptedProvider(), persistence: false },
    openPlace: (request) => openAgentPlace({ ...request, homeDirectory: place.home }),
  });
  hosts.push(host);
  return host;
}
