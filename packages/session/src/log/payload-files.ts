import { createHash } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { makePrivateDirectory, writeWhole } from '../records/private-files.ts';
import { readRegularFile } from '../regular-file.ts';

/** Replaces a value in a log line; the value is stored once, by its hash, in a file next to the log. */
export interface ExternalPayloadReference {
  readonly kind: 'external-payload';
  readonly encoding: 'json';
  readonly sha256: string;
  readonly byteLength: number;
  /** Relative to the log's directory. */
  readonly relativePath: string;
}

/** Default limit: values with longer JSON are moved out of a line. */
export const INLINE_BYTES = 32 * 1024;

/** Stores a payload under its hash; called once for each. */
export type KeepPayload = (payload: { readonly sha256: string; readonly json: string }) => void;

/** Moves values whose JSON is larger than a threshold out of a line, the innermost first. */
export class PayloadWriter {
  readonly #sessionId: string;
  readonly #keep: KeepPayload;
  readonly #known = new Set<string>();

  constructor(sessionId: string, keep: KeepPayload) {
    this.#sessionId = sessionId;
    this.#keep = keep;
  }

  /** Moves fields separately, so that the line keeps its shape. */
  shrink(line: Record<string, unknown>, thresholdBytes: number): Record<string, unknown> {
    return Object.fromEntries(
      Object.entries(line).map(([key, value]) => [key, this.#shrink(value, thresholdBytes).value]),
    );
  }

  store(json: string): ExternalPayloadReference {
    const sha256 = createHash('sha256').update(json).digest('hex');
    const relativePath = `${payloadFolder(this.#sessionId)}/${sha256}.json`;
    if (!this.#known.has(sha256)) {
      this.#keep({ sha256, json });
      this.#known.add(sha256);
    }
    const byteLength = Buffer.byteLength(json);
    return { kind: 'external-payload', encoding: 'json', sha256, byteLength, relativePath };
  }

  #shrink(value: unknown, threshold: number): { value: unknown; size: number } {
    if (typeof value !== 'object' || value === null || value instanceof Date) {
      return this.#storeIfLarge(value, threshold);
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
    return size > threshold ? this.#storeIfLarge(copy, threshold) : { value: copy, size };
  }

  #storeIfLarge(value: unknown, threshold: number): { value: unknown; size: number } {
    const json = JSON.stringify(value) ?? 'null';
    // A UTF-16 code unit takes at most three bytes of UTF-8.
    const size = json.length * 3 > threshold ? Buffer.byteLength(json) : json.length;
    if (size <= threshold) return { value, size };
    const reference = this.store(json);
    return { value: reference, size: JSON.stringify(reference).length };
  }
}

/** The payload folder of a session, next to its log. */
export function payloadFolder(sessionId: string): string {
  return `${sessionId}.payloads`;
}

/** Stores payloads as files next to the log. */
export function payloadFiles(logDir: string, sessionId: string): KeepPayload {
  const folder = join(logDir, payloadFolder(sessionId));
  return ({ sha256, json }) => {
    const path = join(folder, `${sha256}.json`);
    if (existsSync(path)) return;
    makePrivateDirectory(folder);
    writeWhole(path, json);
  };
}

const MAX_DEPTH = 32;
const MAX_BYTES = 64 * 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/;

/** The bytes of a payload; undefined if unavailable. */
export type ReadPayload = (reference: ExternalPayloadReference) => Buffer | undefined;

/** Restores values that were moved out of a log; missing or damaged ones stay references. */
export class PayloadReader {
  readonly #readBytes: ReadPayload;

  /** Takes the path of the log, next to which payloads are, or a function that reads them. */
  constructor(source: string | ReadPayload) {
    this.#readBytes = typeof source === 'string' ? besideLog(source) : source;
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
    if (!SHA256.test(reference.sha256)) return undefined;
    try {
      const bytes = this.#readBytes(reference);
      if (bytes === undefined) return undefined;
      const isIntact = createHash('sha256').update(bytes).digest('hex') === reference.sha256;
      return isIntact ? { payload: JSON.parse(bytes.toString('utf8')) } : undefined;
    } catch {
      // Missing or unreadable: the reference stays, and the validator reports it.
      return undefined;
    }
  }
}

function besideLog(logFile: string): ReadPayload {
  const logDir = dirname(resolve(logFile));
  return ({ relativePath }) => {
    const path = resolve(logDir, relativePath);
    if (!path.startsWith(logDir + sep)) return undefined;
    const real = realpathSync(path);
    const isInside = real.startsWith(realpathSync(logDir) + sep);
    if (!isInside || statSync(real).size > MAX_BYTES) return undefined;
    return readRegularFile(real);
  };
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
