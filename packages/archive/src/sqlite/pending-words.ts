import { spaceCharacters } from '../reading/search-words.ts';
import type { CatalogueDatabase } from './database.ts';

/**
 * Characters of about a dozen sessions, indexed in some tens of milliseconds. Parsing and indexing each fill the
 * processor's caches, so that changing between them after every session takes a tenth more CPU time.
 */
const MAX_WAITING = 1_000_000;

/** Texts that wait to be indexed together. The caller holds the transaction and calls `write` before its end. */
export class PendingWords {
  readonly #database: CatalogueDatabase;
  #documents: number[] = [];
  #texts: string[] = [];
  #characters = 0;

  constructor(database: CatalogueDatabase) {
    this.#database = database;
  }

  /** Documents are added in ascending order. */
  add(document: number, text: string): void {
    this.#documents.push(document);
    this.#texts.push(text);
    this.#characters += text.length;
    if (this.#characters >= MAX_WAITING) this.write();
  }

  /** Indexes everything that waits. */
  write(): void {
    const [documents, texts] = [this.#documents, this.#texts];
    [this.#documents, this.#texts, this.#characters] = [[], [], 0];
    for (const [index, text] of texts.entries()) {
      this.#database.run(
        'insert into words(rowid, text) values (?, ?)',
        documents[index] ?? null,
        spaceCharacters(text),
      );
    }
  }
}
