import { EXIT, type ExitCode } from './exit-code.ts';
import type { Output } from './output.ts';
import { UsageError } from './usage-error.ts';

/** Prints the error on one line; the stack trace only with `--debug`. */
export function reportError(error: unknown, output: Output, debug: boolean): ExitCode {
  if (isAbort(error)) {
    output.note('Interrupted.');
    return EXIT.interrupted;
  }
  output.note(`robota: ${describeError(error)}`);
  for (const line of detailsOf(error)) output.note(line);
  if (debug && error instanceof Error && error.stack) output.note(error.stack);
  return error instanceof UsageError ? EXIT.usage : EXIT.failed;
}

export function describeError(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const [summary = 'unknown error'] = message.split('\n');
  const firstLine = code === 'session_not_found' ? withLookupHint(summary) : summary;
  return typeof code === 'string' && !firstLine.includes(code)
    ? `${firstLine} [${code}]`
    : firstLine;
}

/** Adds how to find the session unless the message already says so. */
function withLookupHint(message: string): string {
  if (/robota sessions|List the sessions/.test(message)) return message;
  return `${message.replace(/\.$/, '')}; "robota sessions --all" lists every session, "robota search <words>" finds one by what was said.`;
}

/** Whether the user cancelled it, which is not a failure. */
export function isAbort(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

/** Extra lines that some errors carry, such as the candidates to choose from. */
function detailsOf(error: unknown): readonly string[] {
  if (!(error instanceof Error) || !('details' in error) || !Array.isArray(error.details))
    return [];
  return error.details.map(String);
}
