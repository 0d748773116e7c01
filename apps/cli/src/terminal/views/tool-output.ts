import { valueText } from '../../export/block-text.ts';

/** What a tool said, as a person reads it: the text inside our result envelope, or the value itself. */
export interface ToolOutput {
  readonly text: string;
  /** Where an Edit began, in lines. */
  readonly startLine: number | undefined;
}

export function readToolOutput(output: unknown): ToolOutput {
  const envelope = parseEnvelope(output);
  if (!envelope) return { text: valueText(output), startLine: undefined };
  const said = [envelope.output, envelope.error].filter(
    (text) => typeof text === 'string' && text !== '',
  );
  return {
    text: said.join('\n'),
    startLine: typeof envelope.startLine === 'number' ? envelope.startLine : undefined,
  };
}

interface Envelope {
  readonly success: boolean;
  readonly output?: unknown;
  readonly error?: unknown;
  readonly startLine?: unknown;
}

function parseEnvelope(output: unknown): Envelope | undefined {
  const value = typeof output === 'string' && output.startsWith('{') ? tryParse(output) : output;
  const isEnvelope =
    typeof value === 'object' &&
    value !== null &&
    'success' in value &&
    ('output' in value || 'error' in value);
  return isEnvelope ? (value as Envelope) : undefined;
}

/** Text that only looks like JSON is shown as text. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
