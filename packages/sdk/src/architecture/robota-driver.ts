import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ParsedTranscript, RawTranscripts, StreamEvent } from '@robota-sdk/agent-transcript';
import { parseRobotaTranscripts } from '@robota-sdk/agent-transcript/blocks';
import { InteractiveSession } from '../interactive/interactive-session.ts';
import type { AssembledSessionOptions } from '../interactive/options.ts';
import { userPaths } from '../paths.ts';
import { EventStream } from './event-stream.ts';
import { mainLogFile } from './robota-paths.ts';
import { findLogs, logFiles } from './transcript-files.ts';

/** A query to our own engine, in the form agent drivers use. */
export interface RobotaQuery {
  readonly query: string;
  readonly sessionId: string;
  /** False resumes the saved session with this id. */
  readonly isNewSession: boolean;
}

/** Drives our own engine like any agent program: queries in, stream events out, logs as transcripts. */
export interface RobotaDriver {
  getPaths(): Readonly<Record<'AGENT_STORAGE_DIR' | 'WORKSPACE_DIR' | 'AGENT_MD_FILE', string>>;
  /** Ends with the turn; a failed turn throws. Stopping early aborts it. */
  executeQuery(query: RobotaQuery): AsyncGenerator<StreamEvent>;
  parseTranscripts(raw: RawTranscripts): ParsedTranscript;
  readSessionTranscripts(sessionId: string): Promise<RawTranscripts>;
  /** Writes transcripts to where a resumed session looks for them. */
  setupSessionTranscripts(sessionId: string, transcripts: RawTranscripts): Promise<void>;
}

/** Our own engine as a driver among those of other agents. */
export function createRobotaDriver(defaults: AssembledSessionOptions): RobotaDriver {
  const logs = defaults.logDirectory ?? userPaths().logs;
  return {
    getPaths: () => ({
      AGENT_STORAGE_DIR: logs,
      WORKSPACE_DIR: defaults.cwd,
      AGENT_MD_FILE: join(defaults.cwd, 'AGENTS.md'),
    }),
    executeQuery: (query) => executeQuery(defaults, query),
    parseTranscripts: parseRobotaTranscripts,
    readSessionTranscripts: (sessionId) => readTranscripts(logs, sessionId),
    setupSessionTranscripts: (sessionId, transcripts) =>
      writeTranscripts(logs, sessionId, transcripts),
  };
}

async function* executeQuery(
  defaults: AssembledSessionOptions,
  { query, sessionId, isNewSession }: RobotaQuery,
): AsyncGenerator<StreamEvent> {
  const session = new InteractiveSession({
    persistence: true,
    ...defaults,
    ...(isNewSession ? { sessionId } : { resumeSessionId: sessionId }),
  });
  const stream = new EventStream<StreamEvent>();
  session.on('stream_event', (event) => stream.push(event));
  const turn = session.submit(query).finally(() => stream.end());
  try {
    yield* stream;
    const outcome = await turn;
    if (outcome.status === 'failed') throw outcome.error;
  } finally {
    await session.shutdown();
  }
}

async function readTranscripts(logs: string, sessionId: string): Promise<RawTranscripts> {
  const { subagents } = await findLogs(logs, sessionId);
  return {
    main: await readFile(mainLogFile(logs, sessionId), 'utf8'),
    subagents: await Promise.all(
      subagents.map(async ({ id, path }) => ({ id, transcript: await readFile(path, 'utf8') })),
    ),
  };
}

async function writeTranscripts(
  logs: string,
  sessionId: string,
  raw: RawTranscripts,
): Promise<void> {
  for (const { path, content } of logFiles(logs, sessionId, raw)) await writePrivate(path, content);
}

async function writePrivate(file: string, text: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  await writeFile(file, text, { mode: 0o600 });
}
