import type { ContentPart, ContentSource, MessageContent } from '@robota-sdk/agent-transcript';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { byPosition } from '../by-position.ts';

/** What a person or a tool handed over: text as text, pictures from their own bytes, never from an address. */
export function ContentParts({ content }: { readonly content: MessageContent }): ReactNode {
  if (typeof content === 'string') return content;
  return byPosition(content, (part, position) => <Part key={position} part={part} />);
}

function Part({ part }: { readonly part: ContentPart }): ReactNode {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'image':
      return <Picture source={part.source} />;
    case 'document':
      return (
        <span className="attachment">
          <FileText aria-hidden="true" />
          {part.title ?? part.source.mediaType ?? 'Document'}
        </span>
      );
    default:
      return null;
  }
}

const PICTURES = /^image\/(?:png|jpeg|gif|webp)$/;
const BASE64 = /^[A-Za-z0-9+/\s]+={0,2}\s*$/;

/** Undefined unless the bytes are here and of a kind that cannot hold a script. */
function pictureAddress(source: ContentSource): string | undefined {
  const { type, mediaType = '', data } = source;
  if (type !== 'base64' || !PICTURES.test(mediaType) || !BASE64.test(data)) return undefined;
  return `data:${mediaType};base64,${data}`;
}

function Picture({ source }: { readonly source: ContentSource }) {
  const address = pictureAddress(source);
  if (address === undefined) {
    const place = source.type === 'url' ? source.data : (source.mediaType ?? 'unknown kind');
    return <span className="attachment">[image: {place}]</span>;
  }
  return <img className="picture" src={address} alt="Attached to the conversation" />;
}
