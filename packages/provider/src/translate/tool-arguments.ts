/**
 * The arguments of an earlier tool call as an object. Text that is not a JSON object, which vendors would reject,
 * is wrapped so that the model still sees what it wrote.
 */
export function parseToolArguments(text: string): Record<string, unknown> {
  if (text.trim() === '') return {};
  const value = parseJson(text);
  return isRecord(value) ? value : { malformedArguments: text };
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
