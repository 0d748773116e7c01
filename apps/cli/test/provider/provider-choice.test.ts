import { describe, expect, it } from 'vitest';
import { chooseProvider, type ProviderRequest } from '../../src/provider/provider-choice.ts';

const nothing: ProviderRequest = {
  provider: undefined,
  model: undefined,
  baseUrl: undefined,
  profile: undefined,
  profiles: {},
  models: [],
  environment: {},
};

describe('chooseProvider', () => {
  it.each<[string, Partial<ProviderRequest>, object]>([
    ['the demonstration without a key', {}, { kind: 'demo', reason: 'no key found' }],
    [
      'the vendor whose key is set',
      { environment: { OPENAI_API_KEY: 'k' } },
      { kind: 'openai', reason: 'OPENAI_API_KEY is set' },
    ],
    [
      'Anthropic where several keys are set',
      { environment: { GEMINI_API_KEY: 'k', ANTHROPIC_API_KEY: 'k' } },
      { kind: 'anthropic' },
    ],
    ['nothing for an empty key', { environment: { ANTHROPIC_API_KEY: ' ' } }, { kind: 'demo' }],
    [
      'the profile of the settings before the environment',
      {
        profile: { type: 'gemini', model: 'm', apiKey: 's' },
        environment: { ANTHROPIC_API_KEY: 'k' },
      },
      { kind: 'google', model: 'm', apiKey: 's', reason: 'settings' },
    ],
    [
      'the flag before the settings',
      { provider: 'demo', profile: { type: 'gemini' } },
      { kind: 'demo', reason: '--provider demo' },
    ],
    [
      'a profile named by the flag',
      { provider: 'work', profiles: { work: { type: 'anthropic', model: 'big' } } },
      { kind: 'anthropic', model: 'big' },
    ],
    [
      'an OpenAI-compatible endpoint for a bare address',
      { baseUrl: 'http://localhost:8000/v1' },
      { kind: 'openai', baseURL: 'http://localhost:8000/v1' },
    ],
    [
      'an OpenAI-compatible endpoint for another vendor with an address',
      { profile: { type: 'deepseek', baseURL: 'https://api.example' } },
      { kind: 'openai', baseURL: 'https://api.example' },
    ],
    [
      'no model of another vendor',
      {
        models: [{ model: 'claude-sonnet-4-5', source: 'settings' }],
        environment: { OPENAI_API_KEY: 'k' },
      },
      { kind: 'openai', model: undefined },
    ],
    [
      'the first model that its vendor serves',
      {
        models: [
          { model: 'gpt-5', source: 'settings' },
          { model: 'sonnet', source: 'Claude Code', isForClaude: true },
        ],
        environment: { ANTHROPIC_API_KEY: 'k' },
      },
      { kind: 'anthropic', model: 'claude-sonnet-4-6' },
    ],
    [
      "no model of Claude Code's settings at another address",
      {
        models: [{ model: 'sonnet', source: 'Claude Code', isForClaude: true }],
        environment: { OPENAI_BASE_URL: 'http://localhost:8000/v1' },
      },
      { kind: 'openai', model: undefined },
    ],
    [
      'the model of the flag',
      { model: 'mine', environment: { OPENAI_API_KEY: 'k' } },
      { model: 'mine' },
    ],
    [
      'the model of the settings with the key of the environment',
      { models: [{ model: 'theirs', source: 'settings' }], environment: { OPENAI_API_KEY: 'k' } },
      { kind: 'openai', model: 'theirs' },
    ],
  ])('takes %s', (_, request, expected) => {
    expect(chooseProvider({ ...nothing, ...request })).toMatchObject(expected);
  });

  it('names the valid providers when it does not know one', () => {
    expect(() => chooseProvider({ ...nothing, provider: 'acme', profiles: { work: {} } })).toThrow(
      'Unknown provider "acme". Valid: anthropic | openai | google | ollama | demo | work',
    );
  });
});
