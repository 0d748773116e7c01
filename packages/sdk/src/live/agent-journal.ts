import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { redactText } from '@robota-sdk/agent-session';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';

/** Sequence numbers reserved by one write, so that streaming does not write for each event. */
const RESERVED = 1_000;

export type JournalFields = Readonly<Record<string, unknown>>;

/**
 * Events of another program's session that its transcript lacks: who asked, who answered, how it ended. It assigns the
 * sequence number of every emitted event and never reuses one, not even after a crash.
 */
export interface AgentJournal {
  /** The number of the last event. */
  readonly last: number;
  /** Whether the numbers continue when the session is opened again. */
  readonly isKept: boolean;
  /** `details` are for readers that have only this journal; others find them in the transcript. */
  append(event: string, fields: JournalFields, details?: JournalFields): number;
  /** Records a stream event of the conversation; returns its number. */
  record(event: StreamEvent): number;
  /** Records a conversation that replaces all before it; returns its number. */
  replaced(conversation: ConversationState): number;
  /** Called once the session is open, with its saved conversation. */
  opened(conversation: ConversationState): void;
  /** Resolves when everything so far is stored; rejects when another node has taken the session over. */
  written(): Promise<void>;
  close(): void;
}

/** A journal in a file; the conversation itself is in the program's transcript. */
export class AgentJournalFile implements AgentJournal {
  readonly #file: string | undefined;
  #last = 0;
  #reserved = 0;
  #descriptor: number | undefined;
  #isCutOff: boolean;

  /** Without a file the numbers start anew with each instance. */
  constructor(file: string | undefined) {
    this.#file = file;
    const text = file === undefined ? '' : readJournal(file);
    const highest = highestNumber(text);
    // A line cut off by a crash must not merge with the next one.
    this.#isCutOff = text !== '' && !text.endsWith('\n');
    this.#last = highest;
    this.#reserved = highest;
  }

  get last(): number {
    return this.#last;
  }

  get isKept(): boolean {
    return this.#file !== undefined;
  }

  record(): number {
    return this.#next();
  }

  replaced(): number {
    return this.#next();
  }

  opened(): void {
    // The program's transcript has the conversation.
  }

  async written(): Promise<void> {
    // Lines are written synchronously by `append`.
  }

  /** The number of an event whose content is stored elsewhere. */
  #next(): number {
    this.#last += 1;
    if (this.#file !== undefined && this.#last > this.#reserved) {
      this.#reserved = this.#last + RESERVED;
      this.#write({ n: this.#reserved, event: 'numbers' });
    }
    return this.#last;
  }

  append(event: string, fields: JournalFields): number {
    const n = this.#next();
    this.#write({ n, event, ...fields });
    return n;
  }

  close(): void {
    if (this.#descriptor !== undefined) closeSync(this.#descriptor);
    this.#descriptor = undefined;
  }

  #write({ n, event, ...fields }: { n: number; event: string; [field: string]: unknown }): void {
    if (this.#file === undefined) return;
    if (this.#descriptor === undefined) {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 });
      this.#descriptor = openSync(this.#file, 'a', 0o600);
    }
    const text = JSON.stringify({ n, time: Date.now(), event, ...fields });
    writeSync(this.#descriptor, `${this.#isCutOff ? '\n' : ''}${redactText(text)}\n`);
    this.#isCutOff = false;
  }
}

function readJournal(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw new Error(`Cannot read the journal ${file}`, { cause: error });
  }
}

function highestNumber(text: string): number {
  let highest = 0;
  for (const match of text.matchAll(/^\{"n":(\d+)/gm))
    highest = Math.max(highest, Number(match[1]));
  return highest;
}
