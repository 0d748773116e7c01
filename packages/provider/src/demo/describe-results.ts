import type { ToolCall, ToolMessage } from '@robota-sdk/agent-core';

const MAX_LINES = 12;

/** Reports what tools returned, including the start of their output. */
export function describeResults(
  results: readonly ToolMessage[],
  calls: readonly ToolCall[],
): string {
  return results.map((result) => describe(result, calls)).join('\n\n');
}

function describe(result: ToolMessage, calls: readonly ToolCall[]): string {
  const call = calls.find((candidate) => candidate.id === result.toolCallId);
  const name = result.name ?? call?.function.name ?? 'The tool';
  const { output, error, exitCode } = readResult(result.content);
  if (error !== undefined) return `${name} did not succeed: ${error}`;
  const ending = exitCode ? ` It exited with code ${exitCode}.` : '';
  if (output.trim() === '') return `${name} is done and returned no output.${ending}`;
  return `${name} is done.${ending} ${excerpt(output)}`;
}

interface ReadResult {
  readonly output: string;
  readonly error?: string;
  readonly exitCode?: number;
}

/** Built-in tools return JSON; denials and other tools plain text. */
function readResult(content: string): ReadResult {
  const value = parse(content);
  if (value === undefined) {
    const isRefusal = /^(?:error|permission|denied|blocked|the user)/i.test(content);
    return isRefusal ? { output: '', error: plainReason(content) } : { output: content };
  }
  if (value.success === false) {
    return { output: '', error: text(value.error) || text(value.output) || 'no reason given' };
  }
  const exitCode = typeof value.exitCode === 'number' ? { exitCode: value.exitCode } : {};
  return { output: text(value.output ?? content), ...exitCode };
}

/** The first line is the reason; the rest is for machines. */
function plainReason(content: string): string {
  return (content.split('\n', 1)[0] ?? '').replace(/^error:\s*/i, '');
}

function parse(content: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(content);
    return typeof value === 'object' && value !== null
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

function text(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function excerpt(output: string): string {
  const lines = output.trimEnd().split('\n');
  if (lines.length === 1) return `It says: ${lines[0]}`;
  const shown = lines.slice(0, MAX_LINES).join('\n');
  const rest = lines.length > MAX_LINES ? `\nand ${lines.length - MAX_LINES} more lines.` : '';
  return `It returned ${lines.length} lines:\n\n\`\`\`\n${shown}\n\`\`\`${rest}`;
}
