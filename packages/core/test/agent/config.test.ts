import { Agent, type AgentConfig, AgentConfigError } from '@robota-sdk/agent-core';
import { fakeTool, says, scriptedProvider } from '@robota-sdk/agent-core/testing';
import { describe, expect, it } from 'vitest';

const provider = scriptedProvider();

describe('the configuration of an agent', () => {
  it.each<[string, unknown]>([
    ['provider', {}],
    ['provider', { provider: { name: 'x' } }],
    ['maxExecutionRounds', { provider, maxExecutionRounds: -1 }],
    ['maxExecutionRounds', { provider, maxExecutionRounds: 1.5 }],
    ['timeout', { provider, timeout: '5s' }],
    ['toolConcurrency', { provider, toolConcurrency: 0 }],
    ['contextMaxTokens', { provider, contextMaxTokens: Number.NaN }],
    ['retry.maxRetries', { provider, retry: { maxRetries: -1 } }],
    ['tools', { provider, tools: [fakeTool('A'), fakeTool('A')] }],
    ['tools', { provider, tools: [{ schema: {} }] }],
    ['tools', { provider, tools: [{ schema: { name: 'A' } }] }],
  ])('is refused with the field at fault: %s', (field, config) => {
    const build = () => new Agent(config as AgentConfig);

    expect(build).toThrow(AgentConfigError);
    expect(build).toThrow(expect.objectContaining({ field, code: 'invalid_config' }));
  });

  it('falls back to the default model for model, system message and sampling', async () => {
    const asked = scriptedProvider(says('Hi.'));
    const defaultModel = { model: 'm', systemMessage: 'S', maxTokens: 100, temperature: 0 };
    const agent = new Agent({ provider: asked, defaultModel });

    await agent.run('Hi');

    expect(asked.requestOptions[0]).toMatchObject({ model: 'm', maxTokens: 100, temperature: 0 });
    expect(agent.getSystemMessage()).toBe('S');
  });

  it('refuses an empty prompt and a bad cap, and stays usable', async () => {
    const agent = new Agent({ provider: scriptedProvider(says('Hi.')) });

    await expect(agent.run('  ')).rejects.toThrow('Cannot run an empty prompt');
    await expect(agent.run('Hi', { maxExecutionRounds: -1 })).rejects.toThrow(AgentConfigError);
    expect((await agent.run('Hi')).response).toBe('Hi.');
  });
});
