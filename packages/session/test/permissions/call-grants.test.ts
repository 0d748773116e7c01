import { type CallGrant, grantOf, type Tool } from '@robota-sdk/agent-core';
import { PermissionEnforcer } from '@robota-sdk/agent-session';
import { describe, expect, it } from 'vitest';

const terminal = {
  write: () => undefined,
  writeLine: () => undefined,
  writeMarkdown: () => undefined,
};

/** A shell that remembers what the gate told it. */
function listeningShell(heard: (CallGrant | undefined)[]): Tool {
  return {
    schema: { name: 'Bash', description: '', parameters: { type: 'object', properties: {} } },
    execute: async (_parameters, context) => {
      heard.push(grantOf(context));
      return { success: true, data: '' };
    },
    touches: async ({ command }) => [{ kind: 'execute', target: String(command) }],
  };
}

async function run(command: string, options: object = {}): Promise<CallGrant | undefined> {
  const heard: (CallGrant | undefined)[] = [];
  const enforcer = new PermissionEnforcer({
    terminal: terminal as never,
    getPermissions: () => ({ cwd: import.meta.dirname, deny: ['Read(.env)'] }),
    permissionHandler: async () => true,
    ...options,
  });
  const [tool] = enforcer.wrapTools([listeningShell(heard)]);
  const parameters = { command };
  const signal = new AbortController().signal;
  await tool?.execute(parameters, { toolName: 'Bash', parameters, executionId: '1', signal });
  return heard[0];
}

describe('what the gate tells a tool', () => {
  it('is the judged text of a command that nobody approved', async () => {
    expect((await run('ls  -la'))?.run).toEqual({ command: 'ls -la', confine: true });
  });

  it('leaves the text alone that a person approved', async () => {
    expect((await run('npm test'))?.run).toBeUndefined();
  });

  it('is which files may be read, and what was judged', async () => {
    const grant = await run('ls');

    expect([grant?.mayRead?.(`${import.meta.dirname}/.env`), grant?.mayRead?.('/x')]).toEqual([
      false,
      true,
    ]);
    expect(grant?.touches).toEqual([{ kind: 'execute', target: 'ls' }]);
  });
});
