import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const ALGORITHM = 'aes-256-gcm';

/** Encrypts what the database must not reveal: AES-256-GCM, each value with its own nonce and bound to its place. */
export class ArchiveCipher {
  readonly #key: Buffer;

  constructor(key: Uint8Array) {
    if (key.length !== KEY_BYTES)
      throw new TypeError(`A key of an archive has ${KEY_BYTES} bytes.`);
    this.#key = Buffer.from(key);
  }

  /** `place` identifies where the value is stored; it cannot be decrypted for another place. */
  seal(value: Uint8Array | string, place: string): Buffer {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const sealed = Buffer.concat([cipher.update(value), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  }

  /** Undefined when it was sealed with another key or for another place. */
  open(sealed: Uint8Array, place: string): Buffer | undefined {
    const bytes = Buffer.from(sealed);
    const nonce = bytes.subarray(0, NONCE_BYTES);
    const tag = bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES);
    if (tag.length < TAG_BYTES) return undefined;
    const decipher = createDecipheriv(ALGORITHM, this.#key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(tag);
    try {
      const rest = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(rest), decipher.final()]);
    } catch {
      // The tag does not match: another key, another place, or changed bytes.
      return undefined;
    }
  }
}

/** Parses a key: 32 bytes in base64 or hexadecimal digits. */
export function parseArchiveKey(text: string): Buffer {
  const given = text.trim();
  const bytes = Buffer.from(given, /^[0-9a-fA-F]{64}$/.test(given) ? 'hex' : 'base64');
  if (bytes.length === KEY_BYTES && /^[A-Za-z0-9+/=_-]+$/.test(given)) return bytes;
  throw new TypeError(
    'The key of an archive is 32 bytes in base64 or hexadecimal digits; make one with: openssl rand -base64 32',
  );
}
