import { asArray, asRecord, type JsonRecord } from '../../json-record.ts';
import { parseLine } from '../../parse-line.ts';
import { isHeader } from './thread-reading.ts';

/**
 * The records of a chat file, line by line. Until 0.38 a chat was one JSON document over many lines; a file
 * in which no line is a record is read as such.
 */
export class ChatFile {
  readonly #onRecord: (record: JsonRecord, offset: number) => void;
  readonly #onUnreadable: () => void;
  /** Lines before the first record, which may turn out to be a document. */
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
    this.#giveUpDocument();
    this.#onRecord(record, offset);
  }

  /** Whether all there is so far may be one document. */
  get isOpen(): boolean {
    return (this.#unread?.length ?? 0) > 0;
  }

  /** The document as far as it goes, if no more lines come; the file itself stays open. */
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

  #giveUpDocument(): void {
    for (const _ of this.#unread ?? []) this.#onUnreadable();
    this.#unread = undefined;
  }
}

/** A torn document still has whole messages in it. */
function salvage(lines: readonly string[]): { records: JsonRecord[]; unreadable: number } {
  const fields = asRecord(parseLine(headerOf(lines)));
  const messages = messagesOf(lines);
  if (!isHeader(fields) || messages.length === 0) return { records: [], unreadable: lines.length };
  return { records: [{ ...fields, messages }], unreadable: 1 };
}

/** The fields in front of the messages, closed. */
function headerOf(lines: readonly string[]): string {
  const end = lines.findIndex((line) => /^ {2}"messages": \[/.test(line));
  return `${lines.slice(0, Math.max(0, end)).join('\n').replace(/,\s*$/, '')}}`;
}

/** The program indents by two, so a message stands between braces after four blanks. */
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
