import { createSchemaTool, createZodFunctionTool, zodToJsonSchema } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const item = z.object({ label: z.string().min(1), weight: z.number().int().optional() });
const zodSchema = z.object({
  items: z.array(item).min(1).max(2),
  mode: z.enum(['fast', 'exact']).optional(),
});
const parameters = {
  type: 'object',
  properties: {
    items: {
      minItems: 1,
      maxItems: 2,
      type: 'array',
      items: {
        type: 'object',
        properties: {
          label: { type: 'string', minLength: 1 },
          weight: {
            type: 'integer',
            minimum: Number.MIN_SAFE_INTEGER,
            maximum: Number.MAX_SAFE_INTEGER,
          },
        },
        required: ['label'],
      },
    },
    mode: { type: 'string', enum: ['fast', 'exact'] },
  },
  required: ['items'],
} as const;

describe('a tool from a JSON schema', () => {
  const ours = createSchemaTool({
    name: 'Sort',
    description: 'Sorts.',
    parameters,
    run: (given) => given,
  });
  const fromZod = createZodFunctionTool('Sort', 'Sorts.', zodSchema, (given) => given);

  it('is described as a tool from the same zod object', () => {
    expect(ours.schema).toEqual(fromZod.schema);
    expect(zodToJsonSchema(zodSchema)).toEqual(parameters);
  });

  it.each([
    ['right', { items: [{ label: 'a', weight: 1 }], mode: 'fast' }],
    ['with names that the schema does not know, deep inside', { items: [{ label: 'a', more: 1 }] }],
    ['with an unknown name', { items: [{ label: 'a' }], more: 1 }],
    ['without a required name', {}],
    ['of a wrong kind', { items: 'a' }],
    ['of a wrong kind deep inside', { items: [{ label: 1 }] }],
    ['not a whole number', { items: [{ label: 'a', weight: 1.5 }] }],
    ['none of the values', { items: [{ label: 'a' }], mode: 'slow' }],
    ['too short', { items: [] }],
    ['too long', { items: [{ label: 'a' }, { label: 'b' }, { label: 'c' }] }],
    ['too short deep inside', { items: [{ label: 'a' }, { label: '' }] }],
  ])('answers a call that is %s as a tool from the same zod object', async (_case, given) => {
    expect(await ours.execute(given)).toEqual(await fromZod.execute(given));
    expect(ours.validate(given)).toBe(fromZod.validate(given));
  });
});
