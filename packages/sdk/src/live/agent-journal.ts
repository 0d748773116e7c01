import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { redactText } from '@robota-sdk/agent-session';
import type { ConversationState, StreamEvent } from '@robota-sdk/agent-transcript';

/** Numbers that are given out between two words to the disk. */
const RESERVED = 1_000;

export type JournalFields = Readonly<Record<string, unknown>>;

/**
 * What happens around a session of another program: who asked, who answered, how it ended. Its numbers are those of
 * every event we tell, and are never given twice, also after a crash.
 */
export interface AgentJournal {
  /** The number of the last event. */
  readonly last: number;
  /** Whether a later opening goes on with the numbers. */
  readonly isKept: boolean;
  /** `beside` is for those who have nothing but this journal: others look it up elsewhere. */
  append(event: string, fields: JournalFields, beside?: JournalFields): number;
  /** The number of something that was told of the conversation. */
  hear(event: StreamEvent): number;
  /** The conversation is this one from now on, whatever was told before. */
  replaced(conversation: ConversationState): number;
  /** The session is open, and its conversation as it was left. */
  opened(conversation: ConversationState): void;
  /** Resolves when everything so far is kept; rejects when it may not be, because somebody else has the session. */
  written(): Promise<void>;
  close(): void;
}

/** A journal in a file beside the program's transcript, which says what was said. */
export class AgentJournalFile implements AgentJournal {
  readonly #file: string | undefined;
  #last = 0;
  #reserved = 0;
  #descriptor: number | undefined;
  #isCutOff: boolean;

  /** Without a file numbers last as long as this object. */
  constructor(file: string | undefined) {
    this.#file = file;
    const text = file === undefined ? '' : readJournal(file);
    const highest = highestNumber(text);
    // A line that a crash cut off must not swallow the next one.
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

  hear(): number {
    return this.#next();
  }

  replaced(): number {
    return this.#next();
  }

  opened(): void {
    // The program's transcript has the conversation.
  }

  async written(): Promise<void> {
    // Every line is on the disk when it was appended.
  }

  /** The number of something that is written down elsewhere. */
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
