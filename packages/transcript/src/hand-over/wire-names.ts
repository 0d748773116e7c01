import { createHash } from 'node:crypto';

/** Converts an id to one that every vendor accepts; deterministic, so call and result still match. */
export function wireId(id: string): string {
  return /^[A-Za-z0-9_-]{1,64}$/.test(id) ? id : `call_${digest(id).slice(0, 32)}`;
}

/** Converts a tool name to one every vendor accepts: at most 64 letters, digits, `_` and `-`, not starting with a digit. */
export function wireName(name: string): string {
  const plain = name.replace(/[^A-Za-z0-9_-]/g, '_');
  const prefixed = /^[A-Za-z_]/.test(plain) ? plain : `_${plain}`;
  return prefixed.slice(0, 64);
}

/** A UUID derived from a text. */
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
