import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { createMcpTransport, type McpTransportOptions } from '@robota-sdk/agent-transport/mcp';
import { expect, it } from 'vitest';
import { TOKEN, usePlace } from '../support/place.ts';

const place = usePlace();

async function serve(session: InteractiveSession | undefined, options: McpTransportOptions = {}) {
  const transport = createMcpTransport({ http: { port: 0, token: TOKEN }, ...options });
  if (session) session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  const client = new Client({ name: 'test', version: '1' });
  const headers = { authorization: `Bearer ${TOKEN}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(transport.getUrl()), { requestInit: { headers } }),
  );
  place.after(() => client.close());
  return { client, transport };
}

it('offers submit and every command as tools', async () => {
  const session = place.session();
  const { client } = await serve(session);

  const { tools } = await client.listTools();

  const commands = session.listCommands().map(({ name }) => `command_${name}`);
  expect(tools.map(({ name }) => name)).toEqual(['submit', ...commands]);
});

it('says what is missing as a failed result', async () => {
  const { client } = await serve(place.session());

  const result = await client.callTool({ name: 'submit', arguments: { prompt: ' ' } });

  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('prompt is required') }],
  });
});

it('stops the prompt when its caller gives up on it', async () => {
  const session = place.session();
  const { client } = await serve(session);
  const controller = new AbortController();
  const interrupted = new Promise((resolve) => session.on('interrupted', resolve));
  const asked = client.callTool(
    { name: 'submit', arguments: { prompt: 'wait' } },
    { signal: controller.signal },
  );
  asked.catch(() => undefined);
  await place.provider.waiting();

  controller.abort();

  await expect(asked).rejects.toThrow();
  expect(await interrupted).toMatchObject({ response: expect.stringContaining('You said') });
});

it('denies what nobody can be asked about', async () => {
  const session = place.session();
  const { client } = await serve(session);
  const denied: unknown[] = [];
  session.on('tool_end', ({ result }) => denied.push(result));

  await client.callTool({ name: 'submit', arguments: { prompt: 'touch' } });

  expect(denied).toEqual(['denied']);
});

it('puts permission questions to a client that can be asked', async () => {
  const session = place.session();
  const { transport } = await serve(session);
  const client = new Client(
    { name: 'asked', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  const questions: string[] = [];
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    return { action: 'accept', content: { decision: 'allow' } };
  });
  const headers = { authorization: `Bearer ${TOKEN}` };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(transport.getUrl()), { requestInit: { headers } }),
  );
  place.after(() => client.close());
  const results: unknown[] = [];
  session.on('tool_end', ({ result }) => results.push(result));

  await client.callTool({ name: 'submit', arguments: { prompt: 'touch' } });

  expect(questions).toEqual([expect.stringContaining('Allow Bash?')]);
  expect(results).toEqual(['success']);
});

it('leads to all sessions of a host', async () => {
  const host = place.host();
  await host.create({ sessionId: 'other' });
  const { client } = await serve(undefined, { host });

  const result = await client.callTool({
    name: 'submit',
    arguments: { prompt: 'hello', session_id: 'other' },
  });
  const unknown = await client.callTool({
    name: 'command_mode',
    arguments: { session_id: 'unknown' },
  });

  expect(result.content).toEqual([{ type: 'text', text: 'You said hello' }]);
  expect(host.get('other')?.getConversation().blocks).toHaveLength(2);
  expect(unknown).toMatchObject({
    isError: true,
    content: [
      { text: 'Error: Session not found: unknown. List the sessions to see which there are.' },
    ],
  });
});

it('lets nobody in without the token', async () => {
  const { transport } = await serve(place.session());

  const response = await fetch(transport.getUrl(), { method: 'POST', body: '{}' });

  expect([response.status, await response.json()]).toMatchObject([
    401,
    { error: { code: 'unauthorized' } },
  ]);
});

it('speaks on plain streams, and hears when the client has gone', async () => {
  const session = place.session();
  const [input, output] = [new PassThrough(), new PassThrough()];
  const transport = createMcpTransport({ input, output });
  session.attachTransport(transport);
  await transport.start();
  place.after(() => transport.stop());
  const lines = linesOf(output);
  const say = (message: object) =>
    input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

  say({
    id: 1,
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'test', version: '1' },
    },
  });
  expect(await lines.next()).toMatchObject({
    value: { id: 1, result: { serverInfo: { name: 'robota' } } },
  });
  say({ method: 'notifications/initialized' });
  say({ id: 2, method: 'tools/call', params: { name: 'submit', arguments: { prompt: 'hi' } } });
  expect(await lines.next()).toMatchObject({
    value: { id: 2, result: { content: [{ type: 'text', text: 'You said hi' }] } },
  });
  input.end();

  await transport.closed();
});

async function* linesOf(stream: PassThrough): AsyncGenerator<unknown> {
  let rest = '';
  for await (const chunk of stream) {
    rest += String(chunk);
    const lines = rest.split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) yield JSON.parse(line);
  }
}
