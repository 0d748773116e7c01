import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import {
  assembleSubagentPrompt,
  createSubagentLogger,
  createSubagentSession,
} from '@robota-sdk/agent-sdk';
import { describe, expect, it } from 'vitest';
import { useTestPlace } from '../sandbox-home.ts';

const place = useTestPlace();
const tools = ['Read', 'Write', 'Bash', 'Agent'].map((name) => fakeTool(name));

function subagent(definition: Record<string, unknown>, provider = scriptedProvider(says('hi'))) {
  return createSubagentSession({
    agentDefinition: { name: 'a', description: 'd', systemPrompt: 'Be a.', ...definition },
    parentConfig: { provider: { model: 'claude-sonnet-4-6' } },
    parentContext: { claudeMd: 'claude notes', agentsMd: 'agents notes' },
    parentTools: tools,
    provider,
  });
}

describe('createSubagentSession', () => {
  it('removes denied tools, then keeps allowed ones, then always removes Agent', () => {
    const names = (definition: Record<string, unknown>) =>
      subagent(definition)
        .getToolSchemas()
        .map(({ name }) => name);

    expect(names({})).toEqual(['Read', 'Write', 'Bash']);
    expect(names({ disallowedTools: ['Write'] })).toEqual(['Read', 'Bash']);
    expect(names({ tools: ['Read', 'Write', 'Agent'], disallowedTools: ['Write'] })).toEqual([
      'Read',
    ]);
  });

  it('is told where it works, the date and the platform', async () => {
    const provider = scriptedProvider(says('hi'));
    const session = createSubagentSession({
      agentDefinition: { name: 'a', description: 'd', systemPrompt: 'Be a.' },
      parentConfig: {},
      parentContext: {},
      parentTools: tools,
      provider,
      cwd: place.project,
    });

    await session.run('hello');

    expect(provider.requests[0]?.[0]?.content).toMatch(
      new RegExp(`Working directory: ${place.project}\nDate: \\d{4}-\\d\\d-\\d\\d\nPlatform: `),
    );
  });

  it('begins in the mode that the parent’s trust level stands for, unless a mode is given', () => {
    const modeOf = (options: Partial<Parameters<typeof createSubagentSession>[0]>) =>
      createSubagentSession({
        agentDefinition: { name: 'a', description: 'd', systemPrompt: 'Be a.' },
        parentConfig: { defaultTrustLevel: 'safe' },
        parentContext: {},
        parentTools: tools,
        provider: scriptedProvider(says('hi')),
        ...options,
      }).getPermissionMode();

    expect([
      modeOf({}),
      modeOf({ parentConfig: { defaultTrustLevel: 'full' } }),
      modeOf({ parentConfig: { defaultTrustLevel: 'full', permissionMode: 'default' } }),
      modeOf({ permissionMode: 'bypassPermissions' }),
      modeOf({ parentConfig: {} }),
    ]).toEqual(['plan', 'acceptEdits', 'default', 'bypassPermissions', 'default']);
  });

  it('expands model shortcuts and otherwise asks the model of the parent', () => {
    const models = ['sonnet', 'haiku', 'opus', 'claude-x', undefined].map((model) =>
      subagent(model === undefined ? {} : { model }).getModel(),
    );

    expect(models).toEqual([
      'claude-sonnet-4-6',
      'claude-haiku-4-5',
      'claude-opus-4-6',
      'claude-x',
      'claude-sonnet-4-6',
    ]);
  });

  it('is instructed by its definition, the notes of the parent and how to report', async () => {
    const provider = scriptedProvider(says('hi'));
    const session = subagent({}, provider);

    await session.run('hello');

    expect(provider.requests[0]?.[0]?.content).toMatch(
      /^Be a\.\n\nclaude notes\n\nagents notes\n\nWhen you complete the task/,
    );
  });
});

describe('assembleSubagentPrompt', () => {
  it('leaves out what is not there and tells fork workers to be short', () => {
    expect(assembleSubagentPrompt({ agentBody: 'Body', isForkWorker: true })).toMatch(
      /^Body\n\nYou are a worker subagent.*500 words/s,
    );
  });
});

describe('createSubagentLogger', () => {
  it('writes below the log of the parent and refuses ids that could leave it', () => {
    const logger = createSubagentLogger('parent', 'child', place.home);

    logger.log('whatever the session is called', 'user', { content: 'x' });
    logger.close();

    expect(existsSync(join(place.home, 'parent/subagents/child.jsonl'))).toBe(true);
    expect(() => createSubagentLogger('../x', 'child', place.home)).toThrow();
  });
});
