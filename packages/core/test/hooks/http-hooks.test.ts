import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type HookDefinition, runHooks } from '@robota-sdk/agent-core';
import { afterEach, describe, expect, it } from 'vitest';
import { hooksFor, inputFor } from './hook-runs.ts';

const servers: Server[] = [];

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function serve(
  answer: (request: IncomingMessage, body: string, response: ServerResponse) => void,
): Promise<string> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => answer(request, Buffer.concat(chunks).toString(), response));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
}

const input = inputFor('PreToolUse', { tool_name: 'Bash', tool_input: { command: 'ls' } });

function run(
  hook: Omit<Extract<HookDefinition, { type: 'http' }>, 'type'>,
  env: Record<string, string> = {},
) {
  return runHooks(
    { PreToolUse: [{ hooks: [{ type: 'http', ...hook }], env }] },
    'PreToolUse',
    input,
  );
}

describe('an http hook', () => {
  it('is sent the input as JSON, with headers filled from what the group allows', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, body, response) => {
      seen.push(
        request.method,
        request.headers.authorization,
        request.headers['content-type'],
        JSON.parse(body),
      );
      response.end();
    });

    const outcome = await run(
      { url, headers: { authorization: 'Bearer $TOKEN-\u0024{TOKEN}' } },
      { TOKEN: 't1' },
    );

    expect([outcome, seen]).toEqual([
      { blocked: false, failures: [] },
      ['POST', 'Bearer t1-t1', 'application/json', input],
    ]);
  });

  it('may quote a process variable only when it is listed', async () => {
    const seen: unknown[] = [];
    const url = await serve((request, _body, response) => {
      seen.push(request.headers['x-home']);
      response.end();
    });
    const headers = { 'x-home': '$HOME' };

    const refused = await run({ url, headers });
    await run({ url, headers, allowedEnvVars: ['HOME'] });

    expect([refused.failures[0]?.reason, seen]).toEqual([
      "header x-home quotes HOME; name it in allowedEnvVars or in the group's env",
      [process.env.HOME],
    ]);
  });

  it('blocks with ok: false', async () => {
    const url = await serve((_request, _body, response) =>
      response.end('{"ok":false,"reason":"policy"}'),
    );
    const silent = await serve((_request, _body, response) => response.end('{"ok":false}'));

    expect([await run({ url }), await run({ url: silent })]).toEqual([
      { blocked: true, reason: 'policy', failures: [] },
      { blocked: true, reason: 'Blocked by HTTP hook', failures: [] },
    ]);
  });

  it('answers like a command otherwise', async () => {
    const decision = { hookSpecificOutput: { permissionDecision: 'allow' } };
    const json = await serve((_request, _body, response) =>
      response.end(JSON.stringify({ ok: true, ...decision })),
    );
    const text = await serve((_request, _body, response) => response.end('note'));

    expect([await run({ url: json }), await run({ url: text })]).toEqual([
      { blocked: false, permissionDecision: 'allow', failures: [] },
      { blocked: false, stdout: 'note', failures: [] },
    ]);
  });

  it('that answers with an error, a redirect or not at all is a failure', async () => {
    const broken = await serve((_request, _body, response) => response.writeHead(503).end('down'));
    const moved = await serve((_request, _body, response) =>
      response.writeHead(302, { location: broken }).end(),
    );
    const silent = await serve(() => undefined);

    const reasons = [
      await run({ url: broken }),
      await run({ url: moved }),
      await run({ url: silent, timeout: 0.2 }),
      await run({ url: 'http://127.0.0.1:1/' }),
    ].map((outcome) => outcome.failures[0]?.reason);

    expect(reasons).toEqual([
      'HTTP 503 Service Unavailable',
      expect.stringContaining('redirect'),
      'timed out after 0.2 s',
      expect.stringContaining('fetch failed'),
    ]);
  });

  it('is named in failures without what its address hides', async () => {
    const outcome = await runHooks(
      hooksFor('Stop', { type: 'http', url: 'http://user:pass@127.0.0.1:1/x?token=secret' }),
      'Stop',
      inputFor('Stop'),
    );

    expect(outcome.failures[0]?.hook).toBe('http hook http://127.0.0.1:1/x');
  });
});
