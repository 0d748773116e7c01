import { PassThrough } from 'node:stream';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { InteractiveSession } from '@robota-sdk/agent-sdk';
import { createMcpTransport, type McpTransportOptions } from '@robota-sdk/agent-transport/mcp';
import { type Role, TokenBook } from '@robota-sdk/agent-transport/run';
import { expect, it, vi } from 'vitest';
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

it('reports a missing argument as a failed result', async () => {
  const { client } = await serve(place.session());

  const result = await client.callTool({ name: 'submit', arguments: { prompt: ' ' } });

  expect(result).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('prompt is required') }],
  });
});

it('aborts the prompt when its caller cancels', async () => {
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

it('aborts no turn of another caller who asked the same', async () => {
  const session = place.session({ queueDepth: 8 });
  const { client } = await serve(session);
  const controller = new AbortController();
  const submit = (prompt: string, options: { readonly signal?: AbortSignal } = {}) =>
    client.callTool({ name: 'submit', arguments: { prompt } }, options);
  const queued = (count: number) =>
    vi.waitFor(() => expect(session.getQueue()).toHaveLength(count));
  const before = submit('wait before');
  await place.provider.waiting();
  const first = submit('wait');
  await queued(1);
  const second = submit('wait', { signal: controller.signal });
  second.catch(() => undefined);
  await queued(2);
  place.provider.release();
  await before;
  await place.provider.waiting();

  controller.abort();
  await expect(second).rejects.toThrow();
  // Messages are handled in order, so the cancellation has arrived with the answer to the next request.
  await client.callTool({ name: 'command_help', arguments: {} });
  place.provider.release();

  expect(await first).toMatchObject({ content: [{ text: 'You said wait' }] });
});

it('denies a tool call when nobody can be asked', async () => {
  const session = place.session();
  const { client } = await serve(session);
  const denied: unknown[] = [];
  session.on('tool_end', ({ result }) => denied.push(result));

  await client.callTool({ name: 'submit', arguments: { prompt: 'touch' } });

  expect(denied).toEqual(['denied']);
});

it('forwards permission questions to a client that supports them', async () => {
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

it('serves all sessions of a host', async () => {
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

it('requires the token', async () => {
  const { transport } = await serve(place.session());

  const response = await fetch(transport.getUrl(), { method: 'POST', body: '{}' });

  expect([response.status, await response.json()]).toMatchObject([
    401,
    { error: { code: 'unauthorized' } },
  ]);
});

it('holds tokens of users to their roles', async () => {
  const session = place.session();
  const { transport } = await serve(session);
  const book = new TokenBook();
  const connect = async (roles: readonly Role[]) => {
    const client = new Client({ name: 'test', version: '1' });
    const headers = { authorization: `Bearer ${book.create('ada', roles).token}` };
    const url = new URL(transport.getUrl());
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
    place.after(() => client.close());
    return client;
  };
  const changeMode = { name: 'command_mode', arguments: { args: 'plan' } };

  await expect(connect(['read', 'approve', 'admin'])).rejects.toThrow('forbidden');
  const prompting = await connect(['prompt']);
  const approving = await connect(['prompt', 'approve']);

  expect(await prompting.callTool(changeMode)).toMatchObject({
    isError: true,
    content: [{ text: 'Error: ada lacks the role "approve" for this.' }],
  });
  expect(session.getPermissionMode()).toBe('default');
  expect(
    await prompting.callTool({ name: 'submit', arguments: { prompt: 'hello' } }),
  ).toMatchObject({ content: [{ text: 'You said hello' }] });
  await approving.callTool(changeMode);
  expect(session.getPermissionMode()).toBe('plan');
});

it('serves over plain streams, and notices when the client disconnects', async () => {
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
