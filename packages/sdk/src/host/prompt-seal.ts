import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describeSaveFailure } from '@robota-sdk/agent-session';
import type { SubmitOptions } from '../interactive/options.ts';
import { robotaHome } from '../paths.ts';

/** What a prompt says. */
export interface PromptWords {
  readonly text: string;
  readonly parts?: SubmitOptions['parts'];
}

const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts prompts that wait in a store, because they may contain secrets and a restart has to send them as they were.
 * The key stays on this machine, in a file that no tool reads.
 */
export class PromptSeal {
  readonly #loadKey: () => Buffer;
  #key: Buffer | undefined;

  constructor(loadKey: () => Buffer) {
    this.#loadKey = loadKey;
  }

  /** Tells prompts apart without holding their text. */
  digest({ text, parts = [] }: PromptWords): string {
    return createHmac('sha256', this.#keyOf())
      .update(JSON.stringify([text, parts]))
      .digest('base64url');
  }

  seal(words: PromptWords): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv('aes-256-gcm', this.#keyOf(), iv, { authTagLength: TAG_BYTES });
    const body = Buffer.concat([cipher.update(JSON.stringify(words)), cipher.final()]);
    return Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64');
  }

  /** Undefined for a prompt that was sealed with another key. */
  open(sealed: string): PromptWords | undefined {
    const bytes = Buffer.from(sealed, 'base64');
    const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
    try {
      const cipher = createDecipheriv('aes-256-gcm', this.#keyOf(), iv, {
        authTagLength: TAG_BYTES,
      });
      cipher.setAuthTag(tag);
      const body = bytes.subarray(IV_BYTES + TAG_BYTES);
      const text = Buffer.concat([cipher.update(body), cipher.final()]).toString('utf8');
      return JSON.parse(text) as PromptWords;
    } catch {
      return undefined;
    }
  }

  #keyOf(): Buffer {
    this.#key ??= this.#loadKey();
    return this.#key;
  }
}

/** A key for prompts that do not outlive this process. */
export function passingKey(): Buffer {
  return randomBytes(KEY_BYTES);
}

/** The key of this machine, created when it is first needed. */
export function machineKey(path: string = join(robotaHome(), 'prompts.vault')): Buffer {
  return readKey(path) ?? createKey(path);
}

function readKey(path: string): Buffer | undefined {
  if (!existsSync(path)) return undefined;
  const key = Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url');
  if (key.length === KEY_BYTES) return key;
  throw new Error(`The key in ${path} is damaged; delete the file to get a new one.`);
}

function createKey(path: string): Buffer {
  const key = passingKey();
  const draft = `${path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(draft, `${key.toString('base64url')}\n`, { mode: 0o600 });
    // A link is atomic: of two processes starting at once, both use the key of the first.
    linkSync(draft, path);
    return key;
  } catch (error) {
    const other = readKey(path);
    if (other) return other;
    const reason = describeSaveFailure(error);
    throw new Error(`Cannot write the key of prompts to ${path}: ${reason}`, { cause: error });
  } finally {
    rmSync(draft, { force: true });
  }
}
