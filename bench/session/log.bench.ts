import {
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, createUserMessage } from '../../packages/core/src/index.ts';
import { FileSessionLogger, replaySessionLog } from '../../packages/session/src/index.ts';
import { type BenchRow, type BenchValue, median } from '../harness.ts';

const EVENTS = 20_000;

/** Seconds of `work` on a fresh directory, as milliseconds. */
function timeIn(work: (directory: string) => void): number {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const started = process.hrtime.bigint();
  work(directory);
  const elapsed = Number(process.hrtime.bigint() - started) / 1e6;
  rmSync(directory, { recursive: true, force: true });
  return elapsed;
}

/** The lines `write` leaves behind, to be appended bare. */
function linesOf(write: (logger: FileSessionLogger) => void): Buffer[] {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const logger = new FileSessionLogger(directory);
  write(logger);
  logger.close();
  const lines = readFileSync(join(directory, 's1.jsonl'), 'utf8').trimEnd().split('\n');
  rmSync(directory, { recursive: true, force: true });
  return lines.map((line) => Buffer.from(`${line}\n`));
}

function appendBare(directory: string, lines: readonly Buffer[]): void {
  const descriptor = openSync(join(directory, 's1.jsonl'), 'a');
  for (const line of lines) writeSync(descriptor, line);
  closeSync(descriptor);
}

function compareWithBare(
  write: (logger: FileSessionLogger) => void,
  lines: readonly Buffer[] = linesOf(write),
): BenchValue {
  const [ours, bare]: [number[], number[]] = [[], []];
  for (let round = 0; round < 7; round++) {
    bare.push(timeIn((directory) => appendBare(directory, lines)));
    ours.push(
      timeIn((directory) => {
        const logger = new FileSessionLogger(directory);
        write(logger);
        logger.close();
      }),
    );
  }
  const [mine, base] = [median(ours), median(bare)];
  const each = (total: number) => ((total * 1000) / lines.length).toFixed(2);
  return {
    value: mine / base,
    detail: `${each(mine)} µs against ${each(base)} µs a line, ${lines.length} lines`,
  };
}

function writeSmallEvents(logger: FileSessionLogger): void {
  for (let index = 0; index < EVENTS; index++) {
    logger.log('s1', 'tool_call', { tool: 'Read', toolCallId: `call_${index}` });
  }
}

function writeStreams(logger: FileSessionLogger): void {
  const scope = { executionId: 'e1', conversationId: 's1', round: 1 };
  for (let answer = 0; answer < EVENTS / 20; answer++) {
    for (let sequence = 0; sequence < 20; sequence++) {
      const delta = 'some words of it ';
      logger.log('s1', 'provider_stream_raw_delta', { ...scope, sequence, delta });
      logger.log('s1', 'text_delta', { delta });
    }
    logger.log('s1', 'context', { usedTokens: answer });
  }
}

/** Writes each delta at once, as a line of its own. */
function unshared(logger: FileSessionLogger): FileSessionLogger {
  const log: FileSessionLogger['log'] = (sessionId, event, data) => {
    logger.log(sessionId, event, data);
  };
  return Object.assign(Object.create(FileSessionLogger.prototype), { log });
}

/** A log of about `bytes` bytes of ordinary turns. */
function writeLongLog(directory: string, bytes: number): string {
  const logger = new FileSessionLogger(directory);
  const file = join(directory, 's1.jsonl');
  const text = 'The quick brown fox jumps over the lazy dog. '.repeat(20);
  for (let index = 0; ; index += 2) {
    const scope = { executionId: `e${index}`, conversationId: 's1', round: 1 };
    const mutation = { mutation: 'append_message', ...scope };
    const message = createUserMessage(`${index} ${text}`);
    logger.log('s1', 'history_mutation', { ...mutation, index, message });
    for (let sequence = 0; sequence < 8; sequence++) {
      logger.log('s1', 'tool_result', { ...scope, sequence, tool: 'Read', dataChars: 1000 });
    }
    const reply = createAssistantMessage(`${index} ${text}`);
    logger.log('s1', 'history_mutation', { ...mutation, index: index + 1, message: reply });
    if (index % 2000 === 0 && statSync(file).size >= bytes) break;
  }
  logger.close();
  return file;
}

function parseEachLine(file: string): number {
  let count = 0;
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    if (line !== '' && JSON.parse(line)) count += 1;
  }
  return count;
}

async function compareReplay(): Promise<BenchValue> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const file = writeLongLog(directory, 100 * 1024 * 1024);
  const [ours, base]: [number[], number[]] = [[], []];
  for (let round = 0; round < 3; round++) {
    const started = performance.now();
    parseEachLine(file);
    const between = performance.now();
    await replaySessionLog(file);
    base.push(between - started);
    ours.push(performance.now() - between);
  }
  const megabytes = statSync(file).size / 1024 / 1024;
  rmSync(directory, { recursive: true, force: true });
  const [mine, theirs] = [median(ours), median(base)];
  return {
    value: theirs / mine,
    detail: `${megabytes.toFixed(0)} MB: ${mine.toFixed(0)} ms against ${theirs.toFixed(0)} ms`,
  };
}

export const rows: readonly BenchRow[] = [
  {
    name: 'a small logged event against a bare append of its bytes (FileSessionLogger)',
    unit: 'x',
    target: 3,
    measure: () => compareWithBare(writeSmallEvents),
  },
  {
    name: 'streamed deltas against a bare append of one line for each (FileSessionLogger)',
    unit: 'x',
    target: 4,
    measure: () =>
      compareWithBare(
        writeStreams,
        linesOf((logger) => writeStreams(unshared(logger))),
      ),
  },
  {
    name: 'replay of a 100 MB log: speed against reading it and JSON.parse of each line',
    unit: 'x',
    target: 0.5,
    bound: 'least',
    measure: compareReplay,
  },
];
