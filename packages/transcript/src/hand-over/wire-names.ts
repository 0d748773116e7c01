import { createHash } from 'node:crypto';

/** An id that every vendor accepts; the same for the call and its result, in every hand-over. */
export function wireId(id: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : `call_${digest(id).slice(0, 32)}`;
}

/** A tool's name as every vendor accepts it: at most 64 letters, digits, `_` and `-`, not beginning with a digit. */
export function wireName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  const begun = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  return begun.slice(0, 64);
}

/** A UUID that follows from a text, for records that need one. */
export function uuidOf(text: string): string {
  const hex = digest(text);
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
  ];
  return `${parts.join('-')}-${hex.slice(20, 32)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
