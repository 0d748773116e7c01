import { encodingOf } from './file-kind.ts';

/**
 * A file's bytes as a string in which text can be searched and replaced, and back without loss. UTF-8 is
 * handled byte by byte (one character a byte), so that bytes which are no UTF-8 survive an edit beside them.
 */
export interface TextCodec {
  decode(bytes: Uint8Array): string;
  encode(text: string): Uint8Array;
  /** A model's text in the form in which `decode` returns the file. */
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
