import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { RemoteSession } from '@robota-sdk/agent-transport/client';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createPlace, type Place, runRobota } from './support/run-robota.ts';
import { serve } from './support/served.ts';

/** The role of every command a served session has; one that is added has to be decided here. */
const COMMANDS: Readonly<Record<string, string>> = {
  help: 'prompt',
  clear: 'prompt',
  compact: 'prompt',
  mode: 'approve',
  model: 'prompt',
  language: 'prompt',
  cost: 'prompt',
  context: 'prompt',
  permissions: 'approve',
  resume: 'prompt',
  rename: 'prompt',
  rewind: 'prompt',
  uncompact: 'prompt',
  pin: 'prompt',
  unpin: 'prompt',
  reset: 'admin',
  export: 'approve',
  usage: 'prompt',
  plugin: 'admin',
  background: 'prompt',
  mcp: 'prompt',
  shell: 'approve',
  memory: 'prompt',
  init: 'prompt',
  review: 'prompt',
  agents: 'prompt',
  hooks: 'prompt',
};

/** Acts that change files or run programs without asking, and the role each needs beside `prompt`. */
const ACTS: readonly (readonly [string, string, string])[] = [
  ['shell', 'touch made', 'approve'],
  ['export', 'made.md', 'approve'],
  ['memory', 'add user made', 'approve'],
  ['memory', '  add project made', 'approve'],
  ['rewind', '1 both overwrite', 'approve'],
  ['rewind', '1', 'approve'],
  ['rewind', 'undo', 'approve'],
  ['mcp', 'add made touch made', 'admin'],
  ['mcp', '\tadd made touch made', 'admin'],
  ['mcp', 'remove made', 'admin'],
  ['mcp', 'reconnect made', 'admin'],
];

async function tokenOf(place: Place, ...roles: string[]): Promise<string> {
  const flags = roles.flatMap((role) => ['--role', role]);
  return (await runRobota(place, ['token', 'new', roles.join('-'), ...flags])).stdout.trim();
}

it('a command that runs a program or changes files without asking needs more than the role prompt, on every transport', async () => {
  using place = createPlace();
  const served = await serve(place);
  await served.json('POST', '/api/sessions', { session_id: 'mine' });
  const prompting = await tokenOf(place, 'read', 'prompt');
  const { url: base } = served;
  const socket = new RemoteSession({ url: base, token: prompting, sessionId: 'mine', WebSocket });
  await socket.whenReady();
  const headers = { authorization: `Bearer ${prompting}` };
  const mcp = new Client({ name: 'test', version: '1' });
  await mcp.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', base), { requestInit: { headers } }),
  );

  const { tools } = await mcp.listTools();
  const refusals: string[] = [];
  for (const [name, args, role] of ACTS) {
    const refusal = `read-prompt lacks the role "${role}" for this.`;
    const path = `/api/sessions/mine/commands/${name}`;
    const http = await served.call('POST', path, { args }, prompting);
    expect([http.status, await http.json()]).toMatchObject([403, { error: { message: refusal } }]);
    await expect(socket.executeCommand(name, args)).rejects.toThrow(refusal);
    const tool = `command_${name}`;
    if (!tools.some((offered) => offered.name === tool)) continue;
    const called = await mcp.callTool({ name: tool, arguments: { args, session_id: 'mine' } });
    expect(called).toMatchObject({ isError: true, content: [{ text: `Error: ${refusal}` }] });
    refusals.push(tool);
  }
  await mcp.close();
  await socket.shutdown();
  const made = ['made', 'made.md', 'AGENTS.md'].filter((name) =>
    existsSync(join(place.project, name)),
  );

  expect(refusals).toContain('command_export');
  expect([made, existsSync(join(place.home, '.robota/AGENTS.md'))]).toEqual([[], false]);
  await served.stop();
});

it('every command has a role, and runs for somebody who has it', async () => {
  using place = createPlace();
  const served = await serve(place);
  await served.json('POST', '/api/sessions', { session_id: 'mine' });
  // The first command of an extension loads them all.
  await served.json('POST', '/api/sessions/mine/commands/hooks', {});
  const { commands } = await served.json<{ commands: { name: string }[] }>(
    'GET',
    '/api/sessions/mine?state=none',
  );
  expect(commands.map(({ name }) => name).sort()).toEqual(Object.keys(COMMANDS).sort());
  const prompting = await tokenOf(place, 'prompt');
  const approving = await tokenOf(place, 'prompt', 'approve');
  const run = async (token: string, name: string, args = '') =>
    (await served.call('POST', `/api/sessions/mine/commands/${name}`, { args }, token)).status;

  for (const [name, role] of Object.entries(COMMANDS)) {
    if (role !== 'prompt') expect([name, await run(prompting, name)]).toEqual([name, 403]);
  }
  for (const name of ['help', 'memory', 'mcp', 'rewind', 'background']) {
    expect([name, await run(prompting, name)]).toEqual([name, 200]);
  }
  expect([
    await run(prompting, 'mcp', 'list'),
    await run(approving, 'shell', 'touch made'),
    await run(approving, 'memory', 'add project A note'),
    await run(approving, 'mcp', 'remove x'),
    existsSync(join(place.project, 'made')),
    existsSync(join(place.project, 'AGENTS.md')),
  ]).toEqual([200, 200, 200, 403, true, true]);
  await served.stop();
});
