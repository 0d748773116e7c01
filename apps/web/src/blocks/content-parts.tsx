import type { ContentPart, ContentSource, MessageContent } from '@robota-sdk/agent-transcript';
import { FileText } from 'lucide-react';
import type { ReactNode } from 'react';
import { byPosition } from '../by-position.ts';

/** Content from a user or a tool: text as text, images only from inline data, never from a URL. */
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

/** Undefined unless the data is inline and of a type that cannot contain a script. */
function imageUrl(source: ContentSource): string | undefined {
  const { type, mediaType = '', data } = source;
  if (type !== 'base64' || !PICTURES.test(mediaType) || !BASE64.test(data)) return undefined;
  return `data:${mediaType};base64,${data}`;
}

function Picture({ source }: { readonly source: ContentSource }) {
  const address = imageUrl(source);
  if (address === undefined) {
    const place = source.type === 'url' ? source.data : (source.mediaType ?? 'unknown kind');
    return <span className="attachment">[image: {place}]</span>;
  }
  return <img className="picture" src={address} alt="Attached to the conversation" />;
}
