import { createZodFunctionTool, FunctionTool, zodToJsonSchema } from '@robota-sdk/agent-tools';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { run } from '../call.ts';

const add = new FunctionTool(
  {
    name: 'add',
    description: 'Adds',
    parameters: {
      type: 'object',
      properties: { a: { type: 'number' }, unit: { type: 'string', enum: ['m', 'km'] } },
      required: ['a'],
    },
  },
  ({ a }) => Number(a) + 1,
);

describe('FunctionTool', () => {
  it('passes parameters to the function and returns its result', async () => {
    expect(await run(add, { a: 2 })).toEqual({ success: true, data: 3 });
    expect([add.getName(), add.getDescription(), add.validate({ a: 1 })]).toEqual([
      'add',
      'Adds',
      true,
    ]);
  });

  it('can be called without a context', async () => {
    expect(await add.execute({ a: 4 })).toEqual({ success: true, data: 5 });
  });

  it('names missing, unknown, mistyped and impossible parameters before it runs', async () => {
    expect(await run(add, { file_path: 'x' })).toEqual({
      success: false,
      error:
        'Validation Error: Invalid parameters for tool "add": Missing required parameter: a, Unknown parameter: file_path',
      errorCode: 'invalid_arguments',
    });
    expect(add.validateParameters({ a: '1', unit: 'mile' })).toEqual({
      isValid: false,
      errors: [
        'Invalid type for parameter: a (expected number, got string)',
        'Invalid value for parameter: unit (expected one of m, km, got mile)',
      ],
    });
  });

  it('validates lists and objects', () => {
    const deep = new FunctionTool(
      {
        name: 'deep',
        description: '',
        parameters: {
          type: 'object',
          properties: {
            names: { type: 'array', items: { type: 'string' } },
            edits: {
              type: 'array',
              items: {
                type: 'object',
                properties: { from: { type: 'string' }, count: { type: 'integer', minimum: 1 } },
                required: ['from'],
              },
            },
            either: { type: ['string', 'null'] },
          },
        },
      },
      () => 'ran',
    );

    const errorsOf = (parameters: Record<string, unknown>) =>
      deep.validateParameters(parameters).errors;

    expect(errorsOf({ names: ['a', 'b'], edits: [{ from: 'x', count: 2 }], either: null })).toEqual(
      [],
    );
    expect(errorsOf({ names: ['a', 7] })).toEqual([
      'Invalid type for parameter: names.1 (expected string, got number)',
    ]);
    expect(errorsOf({ edits: [{}, { from: 'x', count: 0 }] })).toEqual([
      'Missing required parameter: edits.0.from',
      'Invalid value for parameter: edits.1.count (Too small: expected number to be >=1)',
    ]);
    expect(errorsOf({ either: 7 })).toEqual([
      'Invalid type for parameter: either (expected string or null, got number)',
    ]);
  });

  it('runs with a schema that the validator does not fully support', async () => {
    const odd = new FunctionTool(
      {
        name: 'odd',
        description: '',
        parameters: { type: 'object', properties: { a: { $ref: 'https://x.example/schema' } } },
      },
      () => 'ran',
    );

    expect(await run(odd, { a: 1 })).toEqual({ success: true, data: 'ran' });
  });

  it('turns an exception into a failed outcome', async () => {
    const broken = new FunctionTool(
      { name: 'broken', description: '', parameters: { type: 'object', properties: {} } },
      () => {
        throw new Error('no luck');
      },
    );

    expect(await run(broken, {})).toEqual({
      success: false,
      error: 'Tool Execution Error (broken): Function tool execution failed: no luck',
      errorCode: 'execution_failed',
    });
  });
});

describe('createZodFunctionTool', () => {
  const schema = z.object({ city: z.string().min(2), days: z.number().int().default(1) });
  const weather = createZodFunctionTool(
    'weather',
    'Tells the weather',
    schema,
    ({ city, days }) => ({
      city,
      days,
    }),
  );

  it('shows the model a JSON schema in which defaults are optional', () => {
    expect(weather.schema).toEqual({
      name: 'weather',
      description: 'Tells the weather',
      parameters: {
        type: 'object',
        properties: {
          city: { type: 'string', minLength: 2 },
          days: {
            type: 'integer',
            default: 1,
            minimum: Number.MIN_SAFE_INTEGER,
            maximum: Number.MAX_SAFE_INTEGER,
          },
        },
        required: ['city'],
      },
    });
  });

  it('parses the parameters before the function runs', async () => {
    expect(await run(weather, { city: 'Oslo' })).toEqual({
      success: true,
      data: { city: 'Oslo', days: 1 },
    });
  });

  it('reports the issues found by zod', async () => {
    expect(await run(weather, { city: 'O' })).toEqual({
      success: false,
      error: 'Zod validation failed: city: Too small: expected string to have >=2 characters',
      errorCode: 'invalid_arguments',
    });
  });

  it('refuses a schema that is not an object', () => {
    expect(() => zodToJsonSchema(z.string())).toThrow(
      "A tool's parameters must be a zod object; got a schema of type string",
    );
  });
});
