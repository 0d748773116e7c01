import { fileURLToPath } from 'node:url';
import { type ContentBlock, RequestError } from '@agentclientprotocol/sdk';
import { type PromptContent, promptContent } from '../live/prompt-content.ts';

/** Converts an editor's prompt: text, images, embedded files and file links. */
export function promptOf(blocks: readonly ContentBlock[]): PromptContent {
  return promptContent(blocks.map(partOf));
}

type Part = Exclude<Parameters<typeof promptContent>[0], string>[number];

function partOf(block: ContentBlock): Part {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: block.text };
    case 'image':
      return { type: 'image', media_type: block.mimeType, data: block.data } as Part;
    case 'resource_link':
      return { type: 'text', text: `@${placeOf(block.uri)}` };
    case 'resource':
      return resourceOf(block.resource);
    case 'audio':
      throw RequestError.invalidParams({ type: 'audio' }, 'sound cannot be sent');
  }
}

type Resource = Extract<ContentBlock, { type: 'resource' }>['resource'];

function resourceOf(resource: Resource): Part {
  const name = placeOf(resource.uri);
  if ('text' in resource) return { type: 'file', name, text: resource.text } as Part;
  const { mimeType, blob } = resource;
  if (mimeType?.startsWith('image/')) {
    return { type: 'image', media_type: mimeType, data: blob } as Part;
  }
  throw RequestError.invalidParams({ uri: resource.uri }, 'only texts and images can be sent');
}

/** The path of a `file:` URI; other URIs unchanged. */
function placeOf(uri: string): string {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : uri;
  } catch {
    return uri;
  }
}
