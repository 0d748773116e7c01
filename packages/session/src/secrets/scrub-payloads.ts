import { createHash } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Redactor } from '@robota-sdk/agent-core/log';
import { type ExternalPayloadReference, isExternalPayload } from '../log/payload-files.ts';
import { writeWhole } from '../records/private-files.ts';
import { readRegularFile } from '../regular-file.ts';
import { isFileMissing } from '../session-error.ts';

/** Scrubs the payload files of a log; a scrubbed file is renamed after its new content. */
export class PayloadScrubber {
  readonly #logDir: string;
  readonly #folder: string;
  readonly #redactor: Redactor;
  readonly #scrubbed = new Map<string, ExternalPayloadReference>();
  readonly #inUse = new Set<string>();

  constructor(logDir: string, sessionId: string, redactor: Redactor) {
    this.#logDir = logDir;
    this.#folder = `${sessionId}.payloads`;
    this.#redactor = redactor;
  }

  /** Returns the value with references to the scrubbed files; unchanged if nothing changed. */
  relink<Value>(value: Value): Value {
    return this.#relink(value) as Value;
  }

  /** Removes files without references, and the secrets in them. */
  removeUnused(): number {
    const unused = namesIn(join(this.#logDir, this.#folder)).filter(
      (name) => !this.#inUse.has(name),
    );
    for (const name of unused) rmSync(join(this.#logDir, this.#folder, name), { force: true });
    return unused.length;
  }

  #relink(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return value;
    if (isExternalPayload(value)) return this.#scrub(value);
    let copy: Record<string, unknown> | undefined;
    for (const [key, child] of Object.entries(value)) {
      const linked = this.#relink(child);
      if (linked === child) continue;
      copy ??= (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
      copy[key] = linked;
    }
    return copy ?? value;
  }

  #scrub(reference: ExternalPayloadReference): ExternalPayloadReference {
    const { sha256 } = reference;
    const known = this.#scrubbed.get(sha256) ?? this.#write(reference);
    this.#scrubbed.set(sha256, known);
    this.#inUse.add(`${known.sha256}.json`);
    return known;
  }

  #write(reference: ExternalPayloadReference): ExternalPayloadReference {
    const text = this.#read(reference.sha256);
    if (text === undefined) return reference;
    const json = this.#clean(text);
    if (json === text) return reference;
    const sha256 = createHash('sha256').update(json).digest('hex');
    const relativePath = `${this.#folder}/${sha256}.json`;
    writeWhole(join(this.#logDir, relativePath), json);
    return { ...reference, sha256, relativePath, byteLength: Buffer.byteLength(json) };
  }

  #clean(text: string): string {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return this.#redactor.redactText(text);
    }
    const clean = this.#redactor.redactValue(this.#relink(value));
    return clean === value ? text : JSON.stringify(clean);
  }

  #read(sha256: string): string | undefined {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    try {
      return readRegularFile(join(this.#logDir, this.#folder, `${sha256}.json`)).toString('utf8');
    } catch (error) {
      if (isFileMissing(error)) return undefined;
      throw error;
    }
  }
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (isFileMissing(error)) return [];
    throw error;
  }
}
