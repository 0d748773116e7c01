import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createAssistantMessage,
  createUserMessage,
  type Message,
} from '../../packages/core/src/index.ts';
import {
  EntryLog,
  FileSessionLogger,
  SessionSecrets,
  VaultFile,
} from '../../packages/session/src/index.ts';
import { type BenchRow, type BenchValue, ratioOf } from '../harness.ts';

const DELTAS = 20_000;
const MESSAGES = 1_000;
const PROSE = 'The quick brown fox sends a key to the server and reads what it answers. '.repeat(6);

/** Every tenth message contains its own key. */
function conversation(): Message[] {
  return Array.from({ length: MESSAGES }, (_, index) => {
    const key = index % 10 === 0 ? ` sk-proj-${String(index).padStart(48, 'aB3')}` : '';
    const text = `${index} ${PROSE}${key}`;
    return index % 2 === 0 ? createUserMessage(text) : createAssistantMessage(text);
  });
}

function inFolder<Result>(work: (directory: string) => Result): Result {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  try {
    return work(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Vendor-sized deltas: a raw chunk and its text, a few characters each. */
function pieces() {
  const scope = { executionId: 'e1', conversationId: 's1', round: 1 };
  return Array.from({ length: DELTAS }, (_, sequence) => {
    const delta = PROSE.slice((sequence * 5) % 400, ((sequence * 5) % 400) + 5);
    const payload = { id: 'c', choices: [{ index: 0, delta: { content: delta } }] };
    return { delta: { ...scope, sequence, delta }, chunk: { ...scope, sequence, payload } };
  });
}

function compareDeltas(): Promise<BenchValue> {
  const streamed = pieces();
  return ratioOf(
    () =>
      inFolder((directory) => {
        const logger = new FileSessionLogger(directory);
        const log = new EntryLog({ sessionId: 's1', logger });
        for (const { delta, chunk } of streamed) {
          void log.append('provider_native_raw_payload', { ...chunk, payloadKind: 'stream_event' });
          void log.append('provider_stream_raw_delta', delta);
        }
        void log.append('turn_end', {});
        logger.close();
      }),
    () => streamed.map(({ delta, chunk }) => JSON.stringify(delta) + JSON.stringify(chunk)).length,
  );
}

function compareFirstSave(): Promise<BenchValue> {
  const messages = conversation();
  return ratioOf(
    () => new SessionSecrets().redactList(messages),
    () => JSON.stringify(messages),
  );
}

function compareNextSave(): Promise<BenchValue> {
  const messages = conversation();
  const secrets = new SessionSecrets();
  return ratioOf(
    () => JSON.stringify(secrets.redactList(messages)),
    () => JSON.stringify(messages),
  );
}

async function compareRestore(): Promise<BenchValue> {
  const directory = mkdtempSync(join(tmpdir(), 'robota-bench-'));
  const vault = new VaultFile(join(directory, 's1.vault'));
  const secrets = new SessionSecrets({ vault });
  const saved = secrets.redactList(conversation()) as Message[];
  const text = JSON.stringify(saved);
  const value = await ratioOf(
    () => saved.map((message) => secrets.restoreMessage(message)).length,
    () => JSON.parse(text),
  );
  vault.close();
  rmSync(directory, { recursive: true, force: true });
  return value;
}

export const rows: readonly BenchRow[] = [
  {
    name: 'streamed chunks and deltas, redacted and logged, against JSON.stringify of each',
    unit: 'x',
    target: 8,
    measure: compareDeltas,
  },
  {
    name: '1,000 messages redacted for a record against JSON.stringify of them',
    unit: 'x',
    target: 8,
    measure: compareFirstSave,
  },
  {
    name: 'next save of the same messages against JSON.stringify of them',
    unit: 'x',
    target: 1.5,
    measure: compareNextSave,
  },
  {
    name: 'values of 100 secrets put back into 1,000 messages against JSON.parse of them',
    unit: 'x',
    target: 8,
    measure: compareRestore,
  },
];
