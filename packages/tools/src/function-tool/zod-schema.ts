import type { ToolSchema } from '@robota-sdk/agent-core';
import { z } from 'zod';

/** The JSON schema a model is shown for a zod object: what may be sent, so defaults are optional. */
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

/** A schema made when it is first used: a start that makes all of them loses milliseconds. */
export function onFirstUse<Schema extends z.ZodType>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** `timeout: Too small` for each issue, joined; the path names the parameter. */
export function describeZodIssues(error: z.ZodError): string {
  return error.issues
    .map((issue) => {
      const path = issue.path.join('.');
      return path === '' ? issue.message : `${path}: ${issue.message}`;
    })
    .join(', ');
}
