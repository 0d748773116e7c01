import { effectiveLayers } from '@robota-sdk/agent-sdk';
import { expect, it } from 'vitest';

it('leaves out what a higher layer replaces, and layers that contribute nothing', () => {
  const layers = [
    { source: 'environment', settings: {} },
    {
      source: 'project',
      settings: {
        language: 'French',
        permissions: { allow: ['Read'], defaultMode: 'plan' },
        providers: { work: { model: 'a' } },
      },
    },
    {
      source: 'user',
      settings: {
        language: 'German',
        permissions: { allow: ['Read', 'Bash(ls:*)'], defaultMode: 'default' },
        providers: { work: { model: 'b', type: 'openai' }, home: { type: 'demo' } },
      },
    },
    { source: 'claude', settings: { language: 'English' } },
  ];

  expect(effectiveLayers(layers)).toEqual([
    layers[1],
    {
      source: 'user',
      settings: {
        permissions: { allow: ['Bash(ls:*)'] },
        providers: { work: { type: 'openai' }, home: { type: 'demo' } },
      },
    },
  ]);
});
