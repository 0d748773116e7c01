import { asArray, asRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { isHeader } from './thread-reading.ts';

/**
 * Reads the records of a chat file line by line. Until 0.38 a chat was one JSON document over many lines; a file
 * in which no line is a record is read as such.
 */
export class ChatFile {
  readonly #onRecord: (record: JsonRecord, offset: number) => void;
  readonly #onUnreadable: () => void;
  /** Lines before the first record, which may be parts of a document. */
  #unread: string[] | undefined = [];

  constructor(onRecord: (record: JsonRecord, offset: number) => void, onUnreadable: () => void) {
    this.#onRecord = onRecord;
    this.#onUnreadable = onUnreadable;
  }

  line(text: string, offset = -1): void {
    const record = parseLine(text);
    if (record === 'blank') return;
    if (record === 'unreadable') {
      if (this.#unread === undefined) this.#onUnreadable();
      else this.#unread.push(text);
      return;
    }
    this.#rejectDocument();
    this.#onRecord(record, offset);
  }

  /** Whether the lines so far may be one document. */
  get isOpen(): boolean {
    return (this.#unread?.length ?? 0) > 0;
  }

  /** Reads the lines so far as a document; the file itself stays open. */
  readDocument(onRecord: (record: JsonRecord) => void, onUnreadable: () => void): void {
    const lines = this.#unread ?? [];
    const document = parseLine(lines.join('\n'));
    if (typeof document === 'object' && isHeader(document)) {
      onRecord(document);
      return;
    }
    const { records, unreadable } = salvage(lines);
    for (const record of records) onRecord(record);
    for (let count = 0; count < unreadable; count++) onUnreadable();
  }

  #rejectDocument(): void {
    for (const _ of this.#unread ?? []) this.#onUnreadable();
    this.#unread = undefined;
  }
}

/** Recovers the complete messages of a truncated document. */
function salvage(lines: readonly string[]): { records: JsonRecord[]; unreadable: number } {
  const fields = asRecord(parseLine(headerOf(lines)));
  const messages = messagesOf(lines);
  if (!isHeader(fields) || messages.length === 0) return { records: [], unreadable: lines.length };
  return { records: [{ ...fields, messages }], unreadable: 1 };
}

/** The fields before the messages, as a complete object. */
function headerOf(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^ {2}"messages": \[/.test(line));
  return `${lines.slice(0, Math.max(0, end)).join('\n').replace(/,\s*$/, '')}}`;
}

/** The program indents by two, so a message is enclosed by braces after four spaces. */
function messagesOf(lines: readonly string[]): readonly JsonRecord[] {
  const messages: JsonRecord[] = [];
  let start = -1;
  for (const [index, line] of lines.entries()) {
    if (line === '    {') start = index;
    if (start === -1 || !/^ {4}\},?$/.test(line)) continue;
    const message = parseLine(
      lines
        .slice(start, index + 1)
        .join('\n')
        .replace(/,$/, ''),
    );
    if (typeof message === 'object') messages.push(message);
    start = -1;
  }
  return asArray(messages).map(asRecord);
}
