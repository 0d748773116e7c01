import type { SubmitOptions } from '@robota-sdk/agent-sdk';
import type { WireContent } from '../protocol.ts';

/** The text of a prompt and its images. */
export interface PromptContent {
  readonly text: string;
  readonly parts: NonNullable<SubmitOptions['parts']>;
}

/** Text files become part of the text, under their names; images stay separate. */
export function promptContent(content: WireContent): PromptContent {
  if (typeof content === 'string') return { text: content, parts: [] };
  const texts = content.flatMap((part) => {
    if (part.type === 'text') return [part.text];
    if (part.type !== 'file') return [];
    return [`<file name=${JSON.stringify(part.name)}>\n${part.text}\n</file>`];
  });
  const parts = content.flatMap((part): PromptContent['parts'] => {
    if (part.type !== 'image') return [];
    if ('url' in part) return [{ type: 'image_uri', uri: part.url }];
    const { media_type: mimeType, data } = part;
    return [{ type: 'image_inline', mimeType, data }];
  });
  return { text: texts.join('\n'), parts };
}
