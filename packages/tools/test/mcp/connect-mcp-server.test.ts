import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connectMcpServer, type McpServerConfig, type McpTools } from '@robota-sdk/agent-tools';
import { afterEach, describe, expect, it } from 'vitest';
import { run } from '../call.ts';

const fixture = join(import.meta.dirname, '../fixtures/mcp-server.mjs');
const opened: McpTools[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((tools) => tools.close()));
});

async function connect(config: Partial<McpServerConfig> = {}): Promise<McpTools> {
  const tools = await connectMcpServer({
    name: 'box',
    command: process.execPath,
    args: [fixture],
    env: { FIXTURE_NAME: 'the box' },
    ...config,
  } as McpServerConfig);
  opened.push(tools);
  return tools;
}

function toolOf(tools: McpTools, name: string) {
  const found = tools.find((tool) => tool.schema.name === `mcp__box__${name}`);
  if (!found) throw new Error(`No tool ${name} among ${tools.map((tool) => tool.schema.name)}`);
  return found;
}

describe('connectMcpServer', () => {
  it('provides the tools of a server under its name, in a form that providers accept', async () => {
    const tools = await connect();

    expect(toolOf(tools, 'echo').schema).toEqual({
      name: 'mcp__box__echo',
      description: 'Says it back',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    });
    expect(toolOf(tools, 'facts').schema.description).toBe('Facts');
    expect(tools.filter((tool) => !/^[A-Za-z0-9_-]{1,64}$/.test(tool.schema.name))).toEqual([]);
    expect(tools.length).toBe(8);
  });

  it('provides a tool once when a server lists it twice', async () => {
    const tools = await connect({ args: [fixture, 'twice'] });

    const echoes = tools.filter((tool) => tool.schema.name === 'mcp__box__echo');
    expect(echoes.map((tool) => tool.schema.description)).toEqual(['Says it back']);
    expect((await run(toolOf(tools, 'echo'), { text: 'hi' })).success).toBe(true);
  });

  it('returns text, images, resources, structured content and failures', async () => {
    const tools = await connect();

    expect(await run(toolOf(tools, 'echo'), { text: 'hi' })).toEqual({
      success: true,
      data: 'hi from the box',
    });
    expect(await run(toolOf(tools, 'picture'), {})).toEqual({
      success: true,
      data: 'a dot\n[Image: image/png]\ninside\n[Resource: b file:///b]',
      parts: [{ type: 'image_inline', mimeType: 'image/png', data: 'AAAA' }],
    });
    expect(await run(toolOf(tools, 'facts'), {})).toEqual({
      success: true,
      data: '{"answer":42,"cancelled":[]}',
    });
    expect(await run(toolOf(tools, 'fail'), {})).toEqual({
      success: false,
      data: 'it broke',
      error: 'it broke',
    });
  });

  it('forwards progress, and cancels the call at the server on abort', async () => {
    const tools = await connect();
    const abort = new AbortController();
    const progress: string[] = [];

    const outcome = await run(
      toolOf(tools, 'slow'),
      {},
      {
        signal: abort.signal,
        onProgress: (text) => {
          progress.push(text);
          abort.abort();
        },
      },
    );

    expect(progress).toEqual(['half (1/2)']);
    expect(outcome).toEqual({
      success: false,
      error: 'The call of slow on MCP server "box" was interrupted',
      errorCode: 'interrupted',
    });
    expect(await run(toolOf(tools, 'facts'), {})).toMatchObject({
      data: '{"answer":42,"cancelled":["yes"]}',
    });
  });

  it('survives a crash of the server: the call fails and the next one works', async () => {
    const tools = await connect();

    expect(await run(toolOf(tools, 'crash'), {})).toEqual({
      success: false,
      error: 'MCP server "box" failed during crash: Connection closed',
      errorCode: 'mcp_server_failed',
    });
    expect(await run(toolOf(tools, 'echo'), { text: 'again' })).toMatchObject({
      data: 'again from the box',
    });
  });

  it('lists the tools again after a restart of the server', async () => {
    const tools = await connect();
    const grown = new Promise((resolve) => {
      tools.onToolsChanged(resolve);
    });
    await run(toolOf(tools, 'grow'), {});
    await grown;
    await run(toolOf(tools, 'crash'), {});

    await run(toolOf(tools, 'echo'), { text: 'back' });

    expect(tools.map((tool) => tool.schema.name)).not.toContain('mcp__box__grown');
  });

  it('keeps its tools up to date and notifies listeners', async () => {
    const tools = await connect();
    const changed = new Promise<readonly string[]>((resolve) => {
      tools.onToolsChanged((now) => resolve(now.map((tool) => tool.schema.name)));
    });

    await run(toolOf(tools, 'grow'), {});

    expect(await changed).toContain('mcp__box__grown');
    expect(toolOf(tools, 'grown').schema.name).toBe('mcp__box__grown');
  });

  it('says why a server cannot be reached', async () => {
    await expect(connect({ args: [fixture, 'broken'] })).rejects.toThrow(
      'Cannot connect to MCP server "box": Connection closed\nthe configuration is wrong',
    );
    await expect(connect({ args: [fixture, 'mute'], connectTimeoutMs: 150 })).rejects.toThrow(
      'Cannot connect to MCP server "box": no answer for 150 ms',
    );
    await expect(connectMcpServer({ name: 'web', type: 'http', url: 'nowhere' })).rejects.toThrow(
      'Cannot connect to MCP server "web": Invalid URL',
    );
    await expect(connect({ command: '/no/such/server' })).rejects.toThrow(
      'Cannot connect to MCP server "box": spawn /no/such/server ENOENT',
    );
  });

  it('returns a failure after it was closed', async () => {
    const tools = await connect();
    await tools.close();

    expect(await run(toolOf(tools, 'echo'), { text: 'x' })).toEqual({
      success: false,
      error: 'MCP server "box" failed during echo: The connection to MCP server "box" is closed',
      errorCode: 'mcp_server_failed',
    });
  });

  it('reaches a server over streamable HTTP, with its headers', async () => {
    const server = await httpServer();
    try {
      const tools = await connectMcpServer({
        name: 'web',
        type: 'http',
        url: `http://127.0.0.1:${server.port}/mcp`,
        headers: { authorization: 'Bearer t' },
      });
      const [tool] = tools;

      expect(tools.map((one) => one.schema.name)).toEqual(['mcp__web__who']);
      expect(tool && (await run(tool, {}))).toEqual({ success: true, data: 'Bearer t' });
      await tools.close();
    } finally {
      await server.close();
    }
  });
});

/** A stateless MCP server over HTTP that answers every request with JSON. */
async function httpServer() {
  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (request.method !== 'POST') {
    response.writeHead(405).end();
    return;
  }
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { id, method, params } = JSON.parse(Buffer.concat(chunks).toString());
  if (id === undefined) {
    response.writeHead(202).end();
    return;
  }
  const results: Record<string, unknown> = {
    initialize: {
      protocolVersion: params?.protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'web', version: '1' },
    },
    'tools/list': { tools: [{ name: 'who', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: request.headers.authorization }] },
  };
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} }));
}
