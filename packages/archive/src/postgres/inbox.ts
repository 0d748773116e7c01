import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { InboxEnd, InboxItem, InboxReceipt } from '../nodes/shared-archive.ts';
import type { ArchiveCipher } from './archive-cipher.ts';
import { type Link, ResponseLostError, type Row, type Value } from './link.ts';
import type { Tables } from './tables.ts';

/** How long an idempotent statement is retried before it fails. */
const RETRY_FOR_MS = 10_000;
const RETRY_MS = 50;
/** Items returned at once. */
const MAX_ITEMS = 1_000;
/** Prefix of an encrypted body; JSON never starts like this. */
const SEALED = 'sealed:';

/** Requests to sessions, and answers to their questions. Every statement here is idempotent. */
export class Inbox {
  readonly #link: Link;
  readonly #tables: Tables;
  readonly #cipher: ArchiveCipher | undefined;

  constructor(link: Link, tables: Tables, cipher?: ArchiveCipher) {
    this.#link = link;
    this.#tables = tables;
    this.#cipher = cipher;
  }

  /** Undefined when there is no such session. */
  async submit(
    id: string,
    { messageId, kind, body }: InboxItem,
  ): Promise<{ readonly sid: number; readonly receipt: InboxReceipt } | undefined> {
    const { inbox, session } = this.#tables;
    const text = JSON.stringify(body);
    const digest = createHash('sha256').update(`${kind}\n${text}`).digest('hex');
    const [row] = await this.#repeat(
      `INSERT INTO ${inbox} AS i (sid, message_id, kind, body, digest)
        SELECT sid, $2, $3, $4, $5 FROM ${session} WHERE id = $1
        ON CONFLICT (sid, message_id) DO UPDATE SET attempts = i.attempts + 1
        RETURNING sid, attempts, digest, taken_seq, status, response`,
      [id, messageId, kind, this.#sealed(text, id, messageId), digest],
    );
    if (!row) return undefined;
    if (row.digest !== digest) throw reused(messageId);
    return { sid: Number(row.sid), receipt: receiptOf(row) };
  }

  async receipt(id: string, messageId: string): Promise<InboxReceipt | undefined> {
    const { inbox, session } = this.#tables;
    const [row] = await this.#repeat(
      `SELECT attempts, taken_seq, status, response FROM ${inbox} JOIN ${session} USING (sid)
        WHERE id = $1 AND message_id = $2`,
      [id, messageId],
    );
    return row && receiptOf(row);
  }

  async waiting(id: string): Promise<readonly InboxItem[]> {
    const { inbox, session } = this.#tables;
    const rows = await this.#repeat(
      `SELECT i.message_id, i.kind, i.body FROM ${inbox} i
        WHERE i.sid = (SELECT sid FROM ${session} WHERE id = $1) AND i.taken_seq IS NULL
        ORDER BY i.place LIMIT ${MAX_ITEMS}`,
      [id],
    );
    return rows.map((row) => ({
      messageId: String(row.message_id),
      kind: row.kind as InboxItem['kind'],
      body: JSON.parse(
        this.#opened(String(row.body), id, String(row.message_id)),
      ) as InboxItem['body'],
    }));
  }

  /** A pending prompt contains its secrets, so it is encrypted; once taken, the log has it redacted. */
  #sealed(text: string, id: string, messageId: string): string {
    const sealed = this.#cipher?.seal(text, `inbox:${id}:${messageId}`);
    return sealed ? `${SEALED}${sealed.toString('base64')}` : text;
  }

  #opened(body: string, id: string, messageId: string): string {
    if (!body.startsWith(SEALED)) return body;
    const bytes = Buffer.from(body.slice(SEALED.length), 'base64');
    const opened = this.#cipher?.open(bytes, `inbox:${id}:${messageId}`);
    if (opened) return opened.toString('utf8');
    throw new Error(
      `What waits for session ${id} is enciphered with another key: set ROBOTA_ARCHIVE_KEY to the one that all nodes use.`,
    );
  }

  /** The session's number if this is the answer that counts. */
  async answer(
    id: string,
    questionId: string,
    { answer, by }: { readonly answer: unknown; readonly by: string | undefined },
  ): Promise<number | undefined> {
    const { question, session } = this.#tables;
    const token = randomUUID();
    const given = JSON.stringify({ answer, token });
    // A retry after a lost response finds its own answer.
    const [row] = await this.#repeat(
      `UPDATE ${question} SET answer = $3, answered_by = $4, answered_at = coalesce(answered_at, clock_timestamp())
        WHERE sid = (SELECT sid FROM ${session} WHERE id = $1) AND request_id = $2
          AND ((answer IS NULL AND taken_seq IS NULL) OR answer = $3) RETURNING sid`,
      [id, questionId, given, by ?? null],
    );
    return row && Number(row.sid);
  }

  async #repeat(text: string, values: readonly Value[]): Promise<readonly Row[]> {
    const end = performance.now() + RETRY_FOR_MS;
    for (;;) {
      try {
        return await this.#link.query(text, values);
      } catch (error) {
        if (!(error instanceof ResponseLostError) || performance.now() > end) throw error;
        await delay(RETRY_MS);
      }
    }
  }
}

function receiptOf({ attempts, taken_seq, status, response }: Row): InboxReceipt {
  return {
    isRepeat: Number(attempts) > 1,
    isTaken: taken_seq !== null,
    ...(typeof status === 'string' && {
      ended: { status: status as InboxEnd['status'], response: String(response ?? '') },
    }),
  };
}

function reused(messageId: string): Error {
  const message = `The message id ${messageId} was used for something else; choose a fresh one.`;
  return Object.assign(new Error(message), { code: 'message_id_reused' });
}
