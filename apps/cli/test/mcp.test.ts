import { expect, it } from 'vitest';
import { createPlace, runRobota, startRobota } from './support/run-robota.ts';

const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

it('is an MCP server on stdio that answers, and ends with its client', async () => {
  using place = createPlace();
  const child = startRobota(place, ['mcp', '--provider', 'demo']);
  const ended = new Promise((resolve) => child.once('close', resolve));
  const answers = new Map<number, { readonly result: Record<string, unknown> }>();
  const heard = new Promise<void>((resolve) => {
    let rest = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      const lines = `${rest}${text}`.split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        const message = JSON.parse(line);
        answers.set(message.id, message);
      }
      if (answers.has(3)) resolve();
    });
  });
  const say = (message: object) => child.stdin.write(`${JSON.stringify(message)}\n`);

  say(INITIALIZE);
  say({ jsonrpc: '2.0', method: 'notifications/initialized' });
  say({ jsonrpc: '2.0', id: 2, method: 'tools/list' });
  const params = { name: 'submit', arguments: { prompt: 'Hello' } };
  say({ jsonrpc: '2.0', id: 3, method: 'tools/call', params });
  await heard;
  child.stdin.end();

  expect(await ended).toBe(0);
  expect(answers.get(1)?.result).toMatchObject({ serverInfo: { name: 'robota' } });
  expect(JSON.stringify(answers.get(2)?.result)).toContain('command_help');
  expect(answers.get(3)?.result).toMatchObject({ content: [{ type: 'text' }] });
  expect(answers.get(3)?.result.isError).toBeUndefined();
});

it('says how it is used', async () => {
  using place = createPlace();

  const { code, stderr } = await runRobota(place, ['mcp', 'a', 'prompt']);

  expect(code).toBe(2);
  expect(stderr).toContain('Usage: robota mcp');
});
