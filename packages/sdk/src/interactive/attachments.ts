import { readFile } from 'node:fs/promises';
import { basename, extname, resolve } from 'node:path';
import type { MessagePart } from '@robota-sdk/agent-core';
import type { PreparedPrompt } from '../assembly/session-extension.ts';
import type { QueuedPrompt } from './prompt-queue.ts';

/** An image, a PDF or a text file sent with a prompt. */
export type Attachment =
  /** Relative paths are resolved against the session's directory. */
  | { readonly path: string; readonly mimeType?: string | undefined }
  | {
      readonly data: Uint8Array;
      readonly mimeType: string;
      /** The file name shown to the model. */
      readonly name?: string | undefined;
    };

/** An attachment that cannot be read or has an unsupported type. */
export class AttachmentError extends Error {
  override readonly name = 'AttachmentError';
  readonly code = 'invalid_attachment';
}

const MIME_TYPES: Readonly<Record<string, string>> = {
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.jpeg': 'image/jpeg',
  '.gif': 'image/gif',
  '.webp': 'image/webp',
  '.pdf': 'application/pdf',
};

/** The prompt with its attachments: images and PDFs as message parts, text files appended to the text. */
export async function withAttachments(
  { input, parts = [], attachments = [] }: QueuedPrompt,
  cwd: string | undefined,
): Promise<PreparedPrompt> {
  if (attachments.length === 0) return { input, ...(parts.length > 0 && { parts }) };
  const read = await Promise.all(attachments.map((attachment) => readAttachment(attachment, cwd)));
  const texts = read.flatMap(({ text }) => text ?? []);
  return {
    input: [input, ...texts].filter(Boolean).join('\n\n'),
    parts: [...parts, ...read.flatMap(({ part }) => part ?? [])],
  };
}

interface ReadAttachment {
  readonly part?: MessagePart;
  readonly text?: string;
}

async function readAttachment(
  attachment: Attachment,
  cwd: string | undefined,
): Promise<ReadAttachment> {
  const { name, mimeType, bytes } = await bytesOf(attachment, cwd);
  const data = bytes.toString('base64');
  if (mimeType?.startsWith('image/')) return { part: { type: 'image_inline', mimeType, data } };
  if (mimeType === 'application/pdf')
    return { part: { type: 'file_inline', mimeType, data, name } };
  if (bytes.includes(0)) {
    throw new AttachmentError(`${name} is neither an image, a PDF nor text; attach one of these.`);
  }
  return { text: `<file name="${name}">\n${bytes.toString('utf8')}\n</file>` };
}

async function bytesOf(attachment: Attachment, cwd: string | undefined) {
  if ('data' in attachment) {
    const { data, mimeType, name = 'attachment' } = attachment;
    if (!(data instanceof Uint8Array)) {
      throw new AttachmentError(
        `The data of ${name} must be bytes; for a base64 text give Buffer.from(text, 'base64').`,
      );
    }
    return { name, mimeType, bytes: Buffer.from(data) };
  }
  if (typeof attachment.path !== 'string') {
    throw new AttachmentError('An attachment needs a path, or data with its mimeType.');
  }
  const path = resolve(cwd ?? process.cwd(), attachment.path);
  const mimeType = attachment.mimeType ?? MIME_TYPES[extname(path).toLowerCase()];
  try {
    return { name: basename(path), mimeType, bytes: await readFile(path) };
  } catch (error) {
    throw new AttachmentError(`Cannot attach ${path}: ${(error as Error).message}`, {
      cause: error,
    });
  }
}
