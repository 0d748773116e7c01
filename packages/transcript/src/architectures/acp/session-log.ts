import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { createRedactor, type RedactStream } from '@robota-sdk/agent-core/log';
import type { StreamEvent } from '../../stream-events.ts';

/** The first line of a log. */
export interface AcpLogHead {
  readonly type: 'acp_session';
  readonly version: 1;
  /** `acp:qwen`. */
  readonly agent: string;
  /** The agent's own id. */
  readonly sessionId: string;
  readonly cwd: string;
  readonly startedAt: string;
}

/**
 * Our log of a session, since ACP agents need not write a readable transcript: every event before it is
 * emitted, with secrets redacted. Text is logged delta by delta, so that a crash loses nothing that was shown.
 */
export class AcpSessionLog {
  readonly #path: string;
  readonly #redactor = createRedactor();
  readonly #texts = new Map<string, RedactStream>();

  constructor(path: string) {
    this.#path = path;
  }

  begin(head: AcpLogHead): void {
    mkdirSync(dirname(this.#path), { recursive: true, mode: 0o700 });
    this.#append(head);
  }

  write(event: StreamEvent): void {
    if (event.type !== 'text_delta') {
      if (event.type === 'block_complete') this.#texts.delete(event.blockId);
      this.#append({ type: 'event', event: this.#redactor.redactValue(event) });
      return;
    }
    // A possible start of a secret is held back; the completed block contains it, or its placeholder.
    const text = this.#texts.get(event.blockId) ?? this.#redactor.createStream();
    this.#texts.set(event.blockId, text);
    const delta = text.push(event.delta);
    if (delta !== '') this.#append({ type: 'event', event: { ...event, delta } });
  }

  #append(record: object): void {
    try {
      appendFileSync(this.#path, `${JSON.stringify(record)}\n`, { mode: 0o600 });
    } catch (error) {
      throw new Error(`Cannot write the log ${this.#path} of the session`, { cause: error });
    }
  }
}
