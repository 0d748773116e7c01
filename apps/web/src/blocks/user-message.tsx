import type { UserMessageBlock } from '@robota-sdk/agent-transcript';
import { ContentParts } from './content-parts.tsx';

export function UserMessage({ block }: { readonly block: UserMessageBlock }) {
  return (
    <div className="user-message" dir="auto">
      <span className="visually-hidden">You: </span>
      <ContentParts content={block.content} />
    </div>
  );
}
