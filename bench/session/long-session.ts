import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAssistantMessage, type Provider } from '../../packages/core/src/index.ts';
import {
  FileSessionLogger,
  Session,
  SessionStore,
  type TerminalOutput,
} from '../../packages/session/src/index.ts';

export const quietTerminal: TerminalOutput = {
  write() {},
  writeLine() {},
  writeMarkdown() {},
  writeError() {},
  prompt: async () => '',
  select: async () => 0,
  spinner: () => ({ stop() {}, update() {} }),
};

/** Answers at once in ten deltas, each also reported as a native stream event. */
export function instantProvider(text: string): Provider {
  const size = Math.ceil(text.length / 10);
  const pieces = Array.from({ length: 10 }, (_, index) =>
    text.slice(index * size, (index + 1) * size),
  );
  return {
    name: 'instant',
    async chat(_messages, options = {}) {
      for (const [sequence, delta] of pieces.entries()) {
        const payload = { type: 'delta', text: delta };
        options.onProviderNativeRawPayload?.({
          provider: 'instant',
          payloadKind: 'stream_event',
          payload,
          sequence,
        });
        options.onTextDelta?.(delta);
      }
      return createAssistantMessage(text, { metadata: { inputTokens: 10, outputTokens: 10 } });
    },
  };
}

export interface LongSession {
  readonly turnMs: readonly number[];
  /** Bytes on disk after each turn: log, record and payloads. */
  readonly bytes: readonly number[];
}

/** Runs `turns` prompts of `characters` against a provider that answers with as many, logged and saved. */
export async function runLongSession(turns: number, characters: number): Promise<LongSession> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const [logDir, storeDir] = [join(directory, 'logs'), join(directory, 'sessions')];
  const session = new Session({
    provider: instantProvider('a'.repeat(characters)),
    tools: [],
    systemMessage: 'You help.',
    terminal: quietTerminal,
    sessionStore: new SessionStore(storeDir, { logDir }),
    sessionLogger: new FileSessionLogger(logDir),
    autoCompactThreshold: false,
    contextMaxTokens: 10_000_000,
  });
  const turnMs: number[] = [];
  const bytes: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const started = process.hrtime.bigint();
    await session.run('u'.repeat(characters));
    turnMs.push(Number(process.hrtime.bigint() - started) / 1e6);
    bytes.push(sizeOf(directory));
  }
  await session.shutdown();
  bytes.push(sizeOf(directory));
  rmSync(directory, { recursive: true, force: true });
  return { turnMs, bytes };
}

function sizeOf(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.size;
  return readdirSync(path).reduce((sum, name) => sum + sizeOf(join(path, name)), 0);
}
