import { encodingOf } from './file-kind.ts';

/**
 * Converts a file's bytes to a string for search and replace, and back without loss. UTF-8 is handled byte by byte (one
 * character per byte), so that invalid UTF-8 survives an edit elsewhere in the file.
 */
export interface TextCodec {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
  /** The model's text in the form that `decode` returns. */
  adapt(text: string): string;
}

export function codecFor(bytes: Uint8Array): TextCodec {
  const encoding = encodingOf(Buffer.from(bytes.subarray(0, 2)));
  if (encoding === 'utf-8') return byteCodec;
  return encoding === 'utf-16le' ? utf16LittleCodec : utf16BigCodec;
}

const byteCodec: TextCodec = {
  decode: (bytes) => Buffer.from(bytes).toString('latin1'),
  encode: (text) => Buffer.from(text, 'latin1'),
  adapt: (text) => Buffer.from(text, 'utf8').toString('latin1'),
};

const utf16LittleCodec: TextCodec = {
  decode: (bytes) => Buffer.from(bytes).toString('utf16le'),
  encode: (text) => Buffer.from(text, 'utf16le'),
  adapt: (text) => text,
};

const utf16BigCodec: TextCodec = {
  decode: (bytes) => swapped(Buffer.from(bytes)).toString('utf16le'),
  encode: (text) => swapped(Buffer.from(text, 'utf16le')),
  adapt: (text) => text,
};

function swapped(bytes: Buffer): Buffer {
  return bytes.subarray(0, bytes.length - (bytes.length % 2)).swap16();
}
