import {
  chooseModel,
  DEFAULT_MODELS,
  expandModelAlias,
  getModelName,
  MODEL_ALIASES,
  type ModelProvider,
  modelFamilyOf,
} from '@robota-sdk/agent-core';
import { describe, expect, it } from 'vitest';

const anthropic: ModelProvider = {
  name: 'anthropic',
  model: 'claude-sonnet-5-5',
  modelFamily: 'anthropic',
};
const openai: ModelProvider = { name: 'openai', model: 'gpt-5', modelFamily: 'openai' };
const gateway: ModelProvider = { name: 'openai', model: 'llama3', modelFamily: null };
const unknown: ModelProvider = { name: 'mine' };

describe('chooseModel', () => {
  it.each([
    [anthropic, 'opus', 'claude-opus-4-6'],
    [anthropic, 'Sonnet[1m]', 'claude-sonnet-4-6'],
    [anthropic, 'claude-opus-4-6[1m]', 'claude-opus-4-6'],
    [anthropic, 'my-own', 'my-own'],
    [anthropic, 'gpt-5', 'claude-sonnet-5-5'],
    [openai, 'gpt-5.5', 'gpt-5.5'],
    [openai, 'o3', 'o3'],
    [openai, 'opus', 'gpt-5'],
    [openai, 'gemini-2.5-pro', 'gpt-5'],
    [openai, 'anthropic/claude-sonnet-4.5', 'gpt-5'],
    [gateway, 'claude-sonnet-4-5', 'claude-sonnet-4-5'],
    [gateway, 'qwen3', 'qwen3'],
    [unknown, 'opus', 'claude-opus-4-6'],
    [unknown, 'anything', 'anything'],
    [openai, 'default', 'gpt-5'],
    [openai, '', 'gpt-5'],
    [{ name: 'my-openai-proxy' }, 'claude-x', undefined],
    [{ ...openai, model: 'claude-opus-4-6' }, 'claude-opus-4-6', DEFAULT_MODELS.openai],
  ])('of %j takes %s only where it is served', (provider, model, expected) => {
    expect(chooseModel([{ model, source: 'x' }], provider).model).toBe(expected);
  });

  it('takes the first that fits and tells of those it passed over', () => {
    const chosen = chooseModel(
      [
        { model: undefined, source: 'a' },
        { model: 'opus', source: 'b' },
        { model: 'gemini-3', source: 'c' },
        { model: 'gpt-4.1', source: 'd' },
        { model: 'sonnet', source: 'e' },
      ],
      openai,
    );

    expect(chosen).toEqual({
      model: 'gpt-4.1',
      notices: [
        'The model opus (b) is not one of openai; gpt-4.1 is used.',
        'The model gemini-3 (c) is not one of openai; gpt-4.1 is used.',
      ],
    });
  });

  it.each([
    [anthropic, 'claude-opus-4-6'],
    [openai, 'gpt-5'],
    [gateway, 'llama3'],
    [{ ...gateway, model: 'claude-haiku-4-5' }, 'claude-opus-4-6'],
    [unknown, 'claude-opus-4-6'],
  ])('hears what was written for Claude Code only where Claude is asked: %j', (provider, model) => {
    const candidate = { model: 'opus', source: 'x', isForClaude: true };

    expect(chooseModel([candidate], provider).model).toBe(model);
  });
});

describe('the table', () => {
  it('knows a name for every default and every short name', () => {
    const models = [...Object.values(DEFAULT_MODELS), ...Object.values(MODEL_ALIASES)];

    expect(models.filter((model) => getModelName(model) === model)).toEqual([]);
  });

  it('knows each default as its vendor’s', () => {
    for (const [family, model] of Object.entries(DEFAULT_MODELS)) {
      expect(modelFamilyOf(model)).toBe(family);
    }
  });

  it.each([
    ['claude-3-5-haiku', 'anthropic'],
    ['us.anthropic.claude-sonnet-4-5-v1:0', 'anthropic'],
    ['haiku', 'anthropic'],
    ['gpt-5.4-mini', 'openai'],
    ['o4-mini', 'openai'],
    ['gemini-3.8-flash', 'google'],
    ['qwen3', undefined],
    ['ollama', undefined],
  ])('puts %s into its family', (model, family) => {
    expect(modelFamilyOf(model)).toBe(family);
  });

  it('leaves names that only look like a property alone', () => {
    expect(expandModelAlias('constructor')).toBe('constructor');
  });
});
