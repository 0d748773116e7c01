import type { ToolParameters } from '../tool.ts';

export type ParsedArguments =
  | { readonly ok: true; readonly parameters: ToolParameters }
  | { readonly ok: false; readonly error: string };

/** Parses the arguments of a tool call; models send an empty text for a tool without parameters. */
export function parseCallArguments(text: string): ParsedArguments {
  if (text.trim() === '') return { ok: true, parameters: {} };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { ok: false, error: `The arguments are not valid JSON: ${messageOf(error)}` };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { ok: false, error: 'The arguments must be a JSON object.' };
  }
  return { ok: true, parameters: value as ToolParameters };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
