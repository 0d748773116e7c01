import type { ToolSchema } from '@robota-sdk/agent-core';
import { z } from 'zod';

/** The JSON schema shown to a model for a zod object: the input side, so defaults are optional. */
export function zodToJsonSchema(schema: z.ZodType): ToolSchema['parameters'] {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
  });
  if (json.type !== 'object') {
    throw new TypeError(
      `A tool's parameters must be a zod object; got a schema of type ${json.type}`,
    );
  }
  return { ...json, type: 'object', properties: json.properties ?? {} };
}

/** Creates a schema on first use: creating all of them at start-up costs milliseconds. */
export function onFirstUse<Schema extends z.ZodType>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** Formats issues as `timeout: Too small`, joined; the path names the parameter. */
export function describeZodIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const path = issue.path.join('.');
      return path === '' ? issue.message : `${path}: ${issue.message}`;
    })
    .join(', ');
}
