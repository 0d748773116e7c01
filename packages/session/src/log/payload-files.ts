import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
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

  /** Each field on its own, so that the line keeps its shape. */
  shrink(line: Record<string, unknown>, thresholdBytes: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(line).map(([key, value]) => [key, this.#shrink(value, thresholdBytes).value]),
    );
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

const MAX_DEPTH = 32;
const MAX_BYTES = 64 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/** Puts back what was moved out of a log; what cannot be trusted stays a reference. */
export class PayloadReader {
  readonly #logDir: string;

  constructor(logFile: string) {
    this.#logDir = dirname(resolve(logFile));
  }

  resolve(value: unknown): unknown {
    return this.#resolve(value, 0);
  }

  #resolve(value: unknown, depth: number): unknown {
    if (typeof value !== 'object' || value === null || depth > MAX_DEPTH) return value;
    if (Array.isArray(value)) return value.map((child) => this.#resolve(child, depth + 1));
    if (isExternalPayload(value)) {
      const read = this.#read(value);
      return read === undefined ? value : this.#resolve(read.payload, depth + 1);
    }
    return Object.fromEntries(
      Object.entries(value).map(([key, child]) => [key, this.#resolve(child, depth + 1)]),
    );
  }

  #read(reference: ExternalPayloadReference): { payload: unknown } | undefined {
    const path = resolve(this.#logDir, reference.relativePath);
    if (!path.startsWith(this.#logDir + sep) || !SHA256.test(reference.sha256)) return undefined;
    try {
      const real = realpathSync(path);
      const isInside = real.startsWith(realpathSync(this.#logDir) + sep);
      if (!isInside || statSync(real).size > MAX_BYTES) return undefined;
      const bytes = readFileSync(real);
      const isIntact = createHash('sha256').update(bytes).digest('hex') === reference.sha256;
      return isIntact ? { payload: JSON.parse(bytes.toString('utf8')) } : undefined;
    } catch {
      // Missing or unreadable: the reference stays, and the validator reports it.
      return undefined;
    }
  }
}

export function isExternalPayload(value: unknown): value is ExternalPayloadReference {
  const reference = value as Partial<ExternalPayloadReference> | null;
  return (
    typeof reference === 'object' &&
    reference !== null &&
    reference.kind === 'external-payload' &&
    typeof reference.sha256 === 'string' &&
    typeof reference.relativePath === 'string'
  );
}
