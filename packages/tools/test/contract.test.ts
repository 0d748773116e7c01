import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ToolSandbox } from '@robota-sdk/agent-core';
import {
  bashTool,
  connectMcpServer,
  createBashTool,
  createEditTool,
  createGlobTool,
  createGrepTool,
  createReadTool,
  createWebFetchTool,
  createWebSearchTool,
  createWriteTool,
  type McpTools,
} from '@robota-sdk/agent-tools';
import { afterAll, beforeAll } from 'vitest';
import { scratch } from './scratch.ts';
import { describeToolContract } from './tool-contract.ts';

const never = () => new Promise<never>(() => undefined);
const stuck: ToolSandbox = { run: never, readFile: never, writeFile: never };
const long = `${'x'.repeat(500)}\n`.repeat(20_000);

let server: Server;
let origin = '';
let mcpTools: McpTools;
beforeAll(async () => {
  server = createServer((request, response) => {
    if (request.url === '/silent') return;
    response
      .setHeader('content-type', 'text/plain')
      .end(request.url === '/flood' ? long.slice(0, 4_900_000) : 'ok');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  mcpTools = await connectMcpServer({
    name: 'box',
    command: process.execPath,
    args: [join(import.meta.dirname, 'fixtures/mcp-server.mjs')],
  });
});
afterAll(async () => {
  await mcpTools.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

describeToolContract('Bash', async () => ({
  tool: createBashTool(),
  works: { command: 'echo hello' },
  hangs: { parameters: { command: "trap '' TERM; while :; do sleep 1; done" } },
  floods: {
    command: 'head -c 20000000 /dev/zero | tr "\\0" "\\n"; head -c 20000000 /dev/zero >&2',
  },
}));

describeToolContract('Read', async () => {
  const cwd = await scratch({ 'a.txt': 'a\n', 'long.txt': long });
  return {
    tool: createReadTool({ cwd }),
    works: { filePath: 'a.txt' },
    hangs: { tool: createReadTool({ sandbox: stuck }), parameters: { filePath: 'a.txt' } },
    floods: { filePath: 'long.txt', limit: 20_000 },
  };
});

describeToolContract('Write', async () => ({
  tool: createWriteTool({ cwd: await scratch() }),
  works: { filePath: 'a.txt', content: 'a' },
  hangs: {
    tool: createWriteTool({ sandbox: stuck }),
    parameters: { filePath: '/stuck-write', content: '' },
  },
}));

describeToolContract('Edit', async () => ({
  tool: createEditTool({ cwd: await scratch({ 'a.txt': 'a' }) }),
  works: { filePath: 'a.txt', oldString: 'a', newString: 'aa', replaceAll: true },
  hangs: {
    tool: createEditTool({ sandbox: stuck }),
    parameters: { filePath: '/stuck-edit', oldString: 'a', newString: 'b' },
  },
}));

describeToolContract('Glob', async () => {
  const cwd = await scratch({ 'a.txt': '' });
  return {
    tool: createGlobTool({ cwd }),
    works: { pattern: '*' },
    // The root directory is a large folder.
    hangs: { parameters: { pattern: '**/*', path: '/' } },
  };
});

describeToolContract('Grep', async () => {
  const cwd = await scratch({
    'a.txt': 'a\n',
    'evil.txt': `${'a'.repeat(60)}!\n`,
    'long.txt': long,
  });
  return {
    tool: createGrepTool({ cwd }),
    works: { pattern: 'a' },
    hangs: { parameters: { pattern: '^(a+)+$(?=.*)', path: 'evil.txt' } },
    floods: { pattern: 'x', outputMode: 'content', headLimit: 20_000 },
  };
});

describeToolContract('WebFetch', async () => ({
  tool: createWebFetchTool({ allowPrivateAddresses: true }),
  works: { url: `${origin}/ok` },
  hangs: { parameters: { url: `${origin}/silent` } },
  floods: { url: `${origin}/flood` },
}));

describeToolContract('WebSearch', async () => ({
  tool: createWebSearchTool({ search: { search: async () => [] } }),
  works: { query: 'x' },
  hangs: { tool: createWebSearchTool({ search: { search: never } }), parameters: { query: 'x' } },
}));

describeToolContract('A tool of an MCP server', async () => {
  const [echo = bashTool] = mcpTools;
  const slow = mcpTools.find((tool) => tool.schema.name.endsWith('__slow'));
  return {
    tool: echo,
    works: { text: 'hello' },
    hangs: { ...(slow ? { tool: slow } : {}), parameters: {} },
    floods: { text: long },
    hasEnvelope: false,
  };
});
