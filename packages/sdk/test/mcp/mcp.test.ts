import { join } from 'node:path';
import { calls, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { InteractiveSession, type InteractiveSessionOptions } from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
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
        sse: { type: 'sse', url: 'http://127.0.0.1:1/' },
        off: { ...box, disabled: true },
      },
    });

    expect(tools.every((name) => name.startsWith('mcp__box__'))).toBe(true);
    expect(result).toBe('hi from the box');
    expect(notices).toEqual([
      'Cannot use an MCP server: the server "empty" of options has neither command nor url',
      'Cannot use an MCP server: the server "sse" of options has the type "sse"; stdio and http work',
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
