import { createHash } from 'node:crypto';
import { readFileSync, realpathSync, statSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import type { ExternalPayloadReference } from './external-payload.ts';

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
