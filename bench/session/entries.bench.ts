import { execFileSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '../../packages/core/src/index.ts';
import {
  EntryLog,
  FileSessionLogger,
  Session,
  SessionStore,
  type TextPiece,
} from '../../packages/session/src/index.ts';
import { type BenchRow, type BenchValue, ratioOf } from '../harness.ts';
import { quietTerminal } from './long-session.ts';

const DELTAS = 20_000;
const PIECE = 'some words of it ';
/** A log line holds the deltas of 50 ms: this many at a thousand per second. */
const DELTAS_PER_LINE = 50;
const WARM_UP_ROUNDS = 25;

export const rows: readonly BenchRow[] = [
  {
    name: 'one delta with a file log, once warm, to EventEmitter.emit and a bare append of its share of a line',
    unit: 'x',
    target: 4,
    measure: deltaWithLog,
  },
  {
    name: 'log, record and payloads against the text, chunks shaped like the OpenAI API',
    unit: 'x',
    target: 7.5,
    measure: () => diskRatio(openaiChunk, 4),
  },
  {
    name: 'log, record and payloads against the text, chunks shaped like the Anthropic API',
    unit: 'x',
    target: 7.5,
    measure: () => diskRatio(anthropicChunk, 12),
  },
  {
    name: 'resuming from a checkpoint, to JSON.parse of the lines of the log',
    unit: 'x',
    target: 0.3,
    measure: () => openRatio('checkpoint'),
  },
  {
    name: 'resuming from the log alone, to JSON.parse of its lines',
    unit: 'x',
    target: 1.6,
    measure: () => openRatio('log'),
  },
  {
    name: 'peak memory of resuming a session with a log of 200 MB',
    unit: 'MB',
    target: 150,
    measure: memoryOfLongLog,
  },
];

async function deltaWithLog(): Promise<BenchValue> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const emitter = new EventEmitter();
  let received = 0;
  emitter.on('delta', (delta: string) => {
    received += delta.length;
  });
  const line = Buffer.concat(Array(DELTAS_PER_LINE).fill(Buffer.from(`${PIECE},${PIECE.length}`)));
  const bare = openSync(join(directory, 'bare.jsonl'), 'a');
  const log = new EntryLog({ sessionId: 's1', logger: new FileSessionLogger(directory) });
  log.subscribe((entry) => {
    received += String(entry.delta ?? '').length;
  });
  // Built field by field like in the engine; an object spread would cost more than what is measured.
  const pieceAt = (sequence: number): TextPiece => ({
    type: 'provider_stream_raw_delta',
    executionId: 'e1',
    conversationId: 's1',
    round: 1,
    sequence,
    delta: PIECE,
  });
  const baseline = () => {
    for (let index = 0; index < DELTAS; index++) {
      emitter.emit('delta', PIECE);
      if (index % DELTAS_PER_LINE === DELTAS_PER_LINE - 1) writeSync(bare, line);
    }
  };
  const ours = () => {
    for (let sequence = 0; sequence < DELTAS; sequence++) {
      log.appendText(pieceAt(sequence));
      // What the timer does after 50 ms.
      if (sequence % DELTAS_PER_LINE === DELTAS_PER_LINE - 1) log.flushAtExit();
    }
    log.flush();
  };
  try {
    // V8 has compiled the last of the functions that write a line after some ten rounds; the emitter is fast at once.
    const early = await ratioOf(ours, baseline, WARM_UP_ROUNDS);
    const { value, detail } = await ratioOf(ours, baseline, 15);
    return {
      value,
      detail: `${detail} for ${DELTAS} deltas, ${DELTAS_PER_LINE} a line, ${received > 0 ? 'received' : 'not received'}; ${early.value.toFixed(2)} x in the first ${WARM_UP_ROUNDS} rounds of the process`,
    };
  } finally {
    closeSync(bare);
    rmSync(directory, { recursive: true, force: true });
  }
}

type Chunk = (text: string, index: number) => unknown;

const openaiChunk: Chunk = (content) => ({
  id: 'chatcmpl-BzQq3p0Yq1J2tq5oYw0aJkV1x8cQe',
  object: 'chat.completion.chunk',
  created: 1_790_000_000,
  model: 'gpt-5-2026-04-14',
  service_tier: 'default',
  system_fingerprint: 'fp_0123456789',
  choices: [{ index: 0, delta: { content }, logprobs: null, finish_reason: null }],
  usage: null,
});

const anthropicChunk: Chunk = (text) => ({
  type: 'content_block_delta',
  index: 0,
  delta: { type: 'text_delta', text },
});

/** Answers in deltas of `size` characters, each with the vendor's native payload. */
function streamingProvider(text: string, size: number, chunk: Chunk): Provider {
  const pieces = text.match(new RegExp(`.{1,${size}}`, 'gs')) ?? [];
  return {
    name: 'streams',
    async chat(messages, options = {}) {
      const request = {
        model: 'm',
        messages: messages.map(({ role, content }) => ({ role, content })),
      };
      const native = { provider: 'streams' };
      options.onProviderNativeRawPayload?.({
        ...native,
        payloadKind: 'request',
        payload: request,
        sequence: 0,
      });
      for (const [sequence, piece] of pieces.entries()) {
        const payload = chunk(piece, sequence);
        options.onProviderNativeRawPayload?.({
          ...native,
          payloadKind: 'stream_event',
          payload,
          sequence,
        });
        options.onTextDelta?.(piece);
      }
      return createAssistantMessage(text, { metadata: { inputTokens: 10, outputTokens: 10 } });
    },
  };
}

interface WrittenSession {
  readonly directory: string;
  readonly store: SessionStore;
  readonly logFile: string;
}

async function writeSession(turns: number, provider: Provider): Promise<WrittenSession> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const logDir = join(directory, 'logs');
  const store = new SessionStore(join(directory, 'sessions'), { logDir });
  const session = new Session({
    provider,
    tools: [],
    systemMessage: 'You help.',
    terminal: quietTerminal,
    sessionId: 's1',
    sessionStore: store,
    sessionLogger: new FileSessionLogger(logDir),
    autoCompactThreshold: false,
    contextMaxTokens: 100_000_000,
  });
  for (let turn = 0; turn < turns; turn++) await session.run(words(500, turn));
  await session.shutdown();
  return { directory, store, logFile: join(logDir, 's1.jsonl') };
}

function words(characters: number, seed: number): string {
  let text = '';
  for (let index = seed; text.length < characters; index++) text += `word${(index * 7919) % 1000} `;
  return text.slice(0, characters);
}

async function diskRatio(chunk: Chunk, size: number): Promise<BenchValue> {
  const turns = 200;
  const { directory } = await writeSession(turns, streamingProvider(words(500, 3), size, chunk));
  const bytes = sizeOf(directory);
  rmSync(directory, { recursive: true, force: true });
  const text = turns * 1000;
  return { value: bytes / text, detail: `${bytes} bytes for ${text} characters` };
}

async function openRatio(from: 'checkpoint' | 'log'): Promise<BenchValue> {
  const provider = streamingProvider(words(500, 3), 12, anthropicChunk);
  const { directory, store, logFile } = await writeSession(1_000, provider);
  if (from === 'log') rmSync(store.getFilePath('s1'));
  const parse = () => {
    let fields = 0;
    for (const line of readFileSync(logFile, 'utf8').split('\n')) {
      if (line !== '') fields += Object.keys(JSON.parse(line)).length;
    }
    return fields;
  };
  try {
    const { value, detail } = await ratioOf(() => store.open('s1'), parse, 7);
    return { value, detail: `${detail}, 1,000 turns` };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Measured in a separate process. */
async function memoryOfLongLog(): Promise<BenchValue> {
  const provider = streamingProvider(words(500, 3), 12, anthropicChunk);
  const { directory, store, logFile } = await writeSession(500, provider);
  const copies = Math.ceil((200 * 1024 * 1024) / statSync(logFile).size);
  const text = readFileSync(logFile);
  const descriptor = openSync(logFile, 'a');
  // Entries covered by the record are not read, so their content does not matter.
  const record = JSON.parse(readFileSync(store.getFilePath('s1'), 'utf8'));
  for (let copy = 1; copy < copies; copy++) writeSync(descriptor, text);
  closeSync(descriptor);
  record.log.bytes = statSync(logFile).size;
  writeFileSync(store.getFilePath('s1'), JSON.stringify(record));
  const program = `
    const { SessionStore } = await import('@robota-sdk/agent-session');
    const store = new SessionStore(${JSON.stringify(join(directory, 'sessions'))}, { logDir: ${JSON.stringify(join(directory, 'logs'))} });
    const saved = store.open('s1');
    if (!saved?.record.messages.length) throw new Error('nothing came back');
    console.log(process.resourceUsage().maxRSS);`;
  const args = [
    '--conditions=robota-source',
    '--import',
    'tsx',
    '--input-type=module',
    '-e',
    program,
  ];
  const peak =
    Number(execFileSync(process.execPath, args, { cwd: process.cwd(), encoding: 'utf8' })) / 1024;
  const size = statSync(logFile).size / 1024 / 1024;
  rmSync(directory, { recursive: true, force: true });
  return { value: peak, detail: `${size.toFixed(0)} MB of log, all but the record unread` };
}

function sizeOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
