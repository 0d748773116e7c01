import type { CatalogueSession } from '@robota-sdk/agent-archive';
import { followSessionLog, redact } from '@robota-sdk/agent-sdk';
import { neutraliseLine } from '@robota-sdk/agent-transcript';
import { readFlags } from '../arguments/read-flags.ts';
import { EXIT } from '../exit-code.ts';
import type { Output } from '../output.ts';
import { jsonText } from '../output.ts';
import { UsageError } from '../usage-error.ts';
import { findSession, isOwn } from './find-session.ts';
import { loadExported } from './sessions/load-exported.ts';

const FLAGS = {
  follow: { type: 'boolean', short: 'f' },
  json: { type: 'boolean' },
  debug: { type: 'boolean' },
} as const;

/** Longer values are cut in text output; `--json` has everything. */
const MAX_CHARACTERS = 160;

type LogEntry = Readonly<Record<string, unknown>>;

/** Prints every entry of a session's log, one per line: as text, or with `--json` for `jq`. */
export async function runLog(args: readonly string[], output: Output): Promise<number> {
  const { values, positionals } = readFlags(args, FLAGS);
  const [reference] = positionals;
  if (reference === undefined) {
    throw new UsageError('Usage: robota log <id|name|last> [--follow] [--json]');
  }
  const session = await findSession(reference, output);
  const stopping = new AbortController();
  const stop = () => stopping.abort();
  process.once('SIGINT', stop);
  try {
    const signal = values.follow ? stopping.signal : undefined;
    const entries = isOwn(session)
      ? followSessionLog(session.id, { signal })
      : followForeign(session, signal);
    for await (const entry of entries) {
      output.writeLine(values.json ? jsonText(entry) : describe(entry));
    }
  } finally {
    process.removeListener('SIGINT', stop);
  }
  return stopping.signal.aborted ? EXIT.interrupted : EXIT.done;
}

/** The blocks of another agent's transcript; with a signal, also the ones added until it aborts. */
async function* followForeign(
  session: CatalogueSession,
  signal: AbortSignal | undefined,
): AsyncGenerator<LogEntry> {
  let n = 0;
  const entryOf = ({ type, ...fields }: { readonly type: string }): LogEntry => {
    n += 1;
    return { n, event: type, ...redact(fields) };
  };
  if (signal === undefined) {
    const { blocks } = await loadExported(session);
    yield* blocks.map(entryOf);
    return;
  }
  const { followTranscript, isAgentArchitecture } = await import(
    '@robota-sdk/agent-transcript/architectures'
  );
  const { type, path } = session;
  if (!isAgentArchitecture(type)) throw new Error(`Nothing is known about the agent ${type}.`);
  for await (const update of followTranscript(type, path, { signal, keepsAlive: true })) {
    if (update.type === 'stream_event') yield entryOf(update.event);
    else yield* update.conversation.blocks.map(entryOf);
  }
}

function describe(entry: LogEntry): string {
  const { n, time: _time, timestamp, sessionId: _id, event, ...fields } = entry;
  const facts = Object.entries(fields)
    .filter(([key]) => !SCOPE.has(key))
    .map(([key, value]) => `${key}=${shortened(value)}`);
  const at = timestamp === undefined ? '' : String(timestamp).slice(11, 23);
  return neutraliseLine([String(n).padStart(6), at, event, ...facts].join('  '));
}

/** Fields repeated in every entry of a run. */
const SCOPE: ReadonlySet<string> = new Set([
  'executionId',
  'conversationId',
  'batchId',
  'ownerPath',
]);

function shortened(value: unknown): string {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
  if (text.length <= MAX_CHARACTERS) return text;
  return `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`;
}
