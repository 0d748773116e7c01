import { followSessionLog, resolveSessionReference } from '@robota-sdk/agent-sdk';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import { readFlags } from '../arguments/read-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { UsageError } from '../usage-error.ts';

const FLAGS = {
  follow: { type: 'boolean', short: 'f' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

/** Longer values are cut in lines for people; `--json` has all of it. */
const MOST_CHARACTERS = 160;

/** Every entry of a session's log, one a line: for people, or with `--json` for `jq`. */
export async function runLog(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined) {
    throw new UsageError('Usage: robota log <id|name> [--follow] [--json]');
  }
  const id = resolveSessionReference(reference, { cwd: process.cwd() });
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  try {
    const signal = values.follow ? stopping.signal : undefined;
    for await (const entry of followSessionLog(id, { signal })) {
      output.writeLine(values.json ? JSON.stringify(entry) : describe(entry));
    }
  } finally {
    process.removeListener('SIGINT', stop);
  }
  return stopping.signal.aborted ? EXIT.interrupted : EXIT.done;
}

function describe(entry: Readonly<Record<string, unknown>>): string {
  const { n, time: _time, timestamp, sessionId: _id, event, ...fields } = entry;
  const facts = Object.entries(fields)
    .filter(([key]) => !SCOPE.has(key))
    .map(([key, value]) => `${key}=${shortened(value)}`);
  const at = String(timestamp).slice(11, 23);
  return neutraliseLine([String(n).padStart(6), at, event, ...facts].join('  '));
}

/** What every entry of a run repeats. */
const SCOPE: ReadonlySet<string> = new Set([
  'executionId',
  'conversationId',
  'batchId',
  'ownerPath',
]);

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= MOST_CHARACTERS) return text;
  return `${text.slice(0, MOST_CHARACTERS)}… (${text.length} characters)`;
}
