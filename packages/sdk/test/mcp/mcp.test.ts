import { spawn } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession, type InteractiveSessionOptions } from '@robota-sdk/agent-sdk';
import { describe, expect, it, onTestFinished } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const server = join(import.meta.dirname, '../../../tools/test/fixtures/mcp-server.mjs');
const box = { command: process.execPath, args: [server], env: { FIXTURE_NAME: 'the box' } };

async function ask(options: Partial<InteractiveSessionOptions> = {}, tool = 'mcp__box__echo') {
  const provider = scriptedProvider(
    calls({ id: 'e', name: tool, args: tool.startsWith('mcp__') ? { text: 'hi' } : {} }),
    says('done'),
  );
  const session = new InteractiveSession({
    cwd: place.project,
    provider,
    ...options,
  } as InteractiveSessionOptions);
  await session.submit('go');
  await session.shutdown();
  const names = provider.requestOptions[0]?.tools?.map(({ name }) => name) ?? [];
  return {
    tools: names.filter((name) => name.startsWith('mcp__')),
    result: provider.requests[1]?.at(-1)?.content,
    notices: session.getNotices().map(({ message }) => message),
  };
}

describe('MCP servers', () => {
  it('of the options are connected and their tools stand behind the gate', async () => {
    const asked: string[] = [];

    const { tools, result } = await ask({
      mcpServers: { box },
      permissionHandler: (tool) => {
        asked.push(tool);
        return true;
      },
    });

    expect(tools).toContain('mcp__box__echo');
    expect(asked).toEqual(['mcp__box__echo']);
    expect(result).toBe('hi from the box');
  });

  it('of settings and .mcp.json start in a trusted directory, with variables filled in', async () => {
    process.env.SERVER_FILE = server;
    place.write('.robota/settings.json', {
      mcpServers: { box },
      permissions: { allow: ['mcp__*'] },
    });
    place.write('.mcp.json', {
      mcpServers: {
        other: {
          command: process.execPath,
          args: [`\${SERVER_FILE}`],
          env: { FIXTURE_NAME: `\${NOBODY:-default}` },
        },
      },
    });

    const first = await ask({ trust: true });
    const second = await ask({ trust: true }, 'mcp__other__echo');

    expect(first.result).toBe('hi from the box');
    expect(second.result).toBe('hi from default');
  });

  it('of a project that is not trusted are not started, and somebody is told', async () => {
    const file = place.write('.mcp.json', { mcpServers: { box } });

    const { tools, notices } = await ask();

    expect(tools).toEqual([]);
    expect(notices).toEqual([
      `This directory is not trusted, so these settings of the project are not applied: mcpServers (${file}).`,
    ]);
  });

  it('that are broken, unknown or wrongly written are named; the rest works', async () => {
    const { tools, result, notices } = await ask({
      allowedTools: ['mcp__box'],
      mcpServers: {
        box,
        broken: { ...box, args: [server, 'broken'] },
        empty: {},
        bird: { type: 'pigeon', url: 'http://127.0.0.1:1/' },
        off: { ...box, disabled: true },
      },
    });

    expect(tools.every((name) => name.startsWith('mcp__box__'))).toBe(true);
    expect(result).toBe('hi from the box');
    expect(notices).toEqual([
      'Cannot use an MCP server: the server "empty" of options has neither command nor url',
      'Cannot use an MCP server: the server "bird" of options has the type "pigeon"; stdio, http and sse work',
      expect.stringContaining('Cannot connect to MCP server "broken"'),
    ]);
  });

  it('that change their tools change them for the model and for subagents', async () => {
    const provider = scriptedProvider(
      calls({ id: 'g', name: 'mcp__box__grow', args: {} }),
      says('grown'),
      calls({ id: 'a', name: 'Agent', args: { prompt: 'look' } }),
      says('seen'),
      says('done'),
    );
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      mcpServers: { box },
      allowedTools: ['mcp__box'],
    });

    await session.submit('grow');
    await expect
      .poll(() =>
        session
          .getSession()
          .getToolSchemas?.()
          .map(({ name }) => name),
      )
      .toContain('mcp__box__grown');
    await session.submit('look');
    await session.shutdown();

    const [main, subagent] = provider.requestOptions.slice(2);
    expect(main?.tools?.map(({ name }) => name)).toContain('mcp__box__grown');
    expect(subagent?.tools?.map(({ name }) => name)).toContain('mcp__box__grown');
  });

  it('a .mcp.json that is no JSON is named', async () => {
    const file = place.write('.mcp.json', '{ nonsense');

    const { notices } = await ask({ trust: true });

    expect(notices).toEqual([expect.stringContaining(`${file} is not valid JSON`)]);
  });

  it('that never answer keep nobody waiting', async () => {
    process.env.MCP_TIMEOUT = '50';

    const { tools, result, notices } = await ask(
      { mcpServers: { mute: { ...box, args: [server, 'mute'] } } },
      'BackgroundList',
    );

    expect(tools).toEqual([]);
    expect(result).toBe('There are no background tasks.');
    expect(notices).toEqual([
      'An MCP server has not answered yet; the session starts without its tools.',
    ]);
  });
});

/** The server of the fixture behind the older protocol: replies come over a stream that stays open. */
async function sseServer() {
  const child = spawn(process.execPath, [server], { stdio: ['pipe', 'pipe', 'inherit'] });
  const http = createServer((request, response) => {
    if (request.method === 'GET') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('event: endpoint\ndata: /messages\n\n');
      createInterface({ input: child.stdout }).on('line', (line) => {
        response.write(`event: message\ndata: ${line}\n\n`);
      });
      return;
    }
    request.pipe(child.stdin, { end: false });
    request.on('end', () => {
      child.stdin.write('\n');
      response.writeHead(202).end();
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    child.kill();
    http.closeAllConnections();
    await new Promise((resolve) => http.close(resolve));
  });
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}/sse`;
}

it('a server that speaks the older protocol alone is connected', async () => {
  const url = await sseServer();

  const { result } = await ask({
    mcpServers: { box: { type: 'sse', url } },
    permissionMode: 'bypassPermissions',
  });

  expect(result).toBe('hi from nobody');
});

describe('what a server offers beside tools', () => {
  async function start() {
    const provider = scriptedProvider(says('done'), says('done'));
    const session = new InteractiveSession({ cwd: place.project, provider, mcpServers: { box } });
    await session.whenReady();
    return { provider, session };
  }

  it('prompts are commands: listed with what they take, and put to the model filled in', async () => {
    const { provider, session } = await start();

    const [source] = session.getCommandSources();
    const lacking = await session.executeCommand('mcp__box__review');
    const result = await session.executeCommand('mcp__box__review', '"my file.ts" very strict');
    await session.shutdown();

    expect(source?.getCommands()).toEqual([
      {
        name: 'mcp__box__review',
        description: 'Reviews a file',
        source: 'mcp',
        argumentHint: '<file> [tone]',
      },
    ]);
    expect(lacking).toEqual({ success: false, message: 'mcp__box__review needs file.' });
    expect(result).toMatchObject({ success: true, message: 'done' });
    expect(provider.requests[0]?.at(-1)?.content).toBe('Review my file.ts in a very strict way.');
  });

  it('resources are sent along where a prompt mentions them', async () => {
    const { provider, session } = await start();

    await session.submit('Fix @box:issue://7, but not @box:issue://8 or @nobody:issue://7');
    await session.shutdown();

    expect(provider.requests[0]?.at(-1)?.content).toBe(
      [
        'Fix @box:issue://7, but not @box:issue://8 or @nobody:issue://7',
        '',
        '<mcp_resources>',
        '<resource server="box" uri="issue://7">',
        'the text of issue seven',
        '</resource>',
        '</mcp_resources>',
      ].join('\n'),
    );
    expect(session.getNotices().map(({ message }) => message)).toEqual([
      expect.stringContaining('Reference @box:issue://8: '),
    ]);
  });

  it('no resource is a file with secrets of our own, or one that a rule denies', async () => {
    const vault = place.writeHome('.robota/logs/s.vault', 'the vault');
    symlinkSync(vault, join(place.project, 'notes.txt'));
    place.write('.env', 'the key');
    place.write('a.txt', 'plain text');
    const provider = scriptedProvider(says('done'));
    const session = new InteractiveSession({
      cwd: place.project,
      provider,
      mcpServers: { box },
      deniedTools: ['Read(.env)'],
      permissionMode: 'bypassPermissions',
    });
    const urls = [
      vault,
      ...['notes.txt', '.env', 'a.txt'].map((name) => join(place.project, name)),
    ];

    await session.submit(urls.map((file) => `@box:file://${file}`).join(' '));
    await session.shutdown();

    const sent = String(provider.requests[0]?.at(-1)?.content);
    expect(sent).toContain('plain text');
    expect(sent).not.toMatch(/the vault|the key/);
    expect(session.getNotices().map(({ message }) => message)).toEqual([
      expect.stringContaining('secrets of this program'),
      expect.stringContaining('secrets of this program'),
      expect.stringContaining('Denied by rule Read(.env)'),
    ]);
  });
});
