import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateDirectory, writeWhole } from '../records/private-files.ts';

/** Stands in a log line for a value kept once, by its hash, in a file beside the log. */
export interface ExternalPayloadReference {
  readonly kind: 'external-payload';
  readonly encoding: 'json';
  readonly sha256: string;
  readonly byteLength: number;
  /** From the log's directory. */
  readonly relativePath: string;
}

/** Moves values whose JSON is larger than a threshold out of a line, the innermost first. */
export class PayloadWriter {
  readonly #logDir: string;
  readonly #sessionId: string;
  readonly #known = new Set<string>();

  constructor(logDir: string, sessionId: string) {
    this.#logDir = logDir;
    this.#sessionId = sessionId;
  }

  externalize(value: unknown, thresholdBytes: number): unknown {
    return this.#shrink(value, thresholdBytes).value;
  }

  store(json: string): ExternalPayloadReference {
    const sha256 = createHash('sha256').update(json).digest('hex');
    const folder = `${this.#sessionId}.payloads`;
    const relativePath = `${folder}/${sha256}.json`;
    if (!this.#known.has(sha256)) {
      const path = join(this.#logDir, relativePath);
      if (!existsSync(path)) {
        makePrivateDirectory(join(this.#logDir, folder));
        writeWhole(path, json);
      }
      this.#known.add(sha256);
    }
    const byteLength = Buffer.byteLength(json);
    return { kind: 'external-payload', encoding: 'json', sha256, byteLength, relativePath };
  }

  #shrink(value: unknown, threshold: number): { value: unknown; size: number } {
    if (typeof value !== 'object' || value === null || value instanceof Date) {
      return this.#settle(value, threshold);
    }
    let size = 2;
    const add = (child: unknown, key: string): unknown => {
      const shrunk = this.#shrink(child, threshold);
      size += shrunk.size + key.length + 4;
      return shrunk.value;
    };
    const copy = Array.isArray(value)
      ? value.map((child) => add(child, ''))
      : Object.fromEntries(Object.entries(value).map(([key, child]) => [key, add(child, key)]));
    return size > threshold ? this.#settle(copy, threshold) : { value: copy, size };
  }

  #settle(value: unknown, threshold: number): { value: unknown; size: number } {
    const json = JSON.stringify(value) ?? 'null';
    // A character takes at most three bytes of UTF-8 in this text.
    const size = json.length * 3 > threshold ? Buffer.byteLength(json) : json.length;
    if (size <= threshold) return { value, size };
    const reference = this.store(json);
    return { value: reference, size: JSON.stringify(reference).length };
  }
}
