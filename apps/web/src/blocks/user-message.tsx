import type { UserMessageBlock } from '@robota-sdk/agent-transcript';
import { PromptActions } from '../rewind/prompt-actions.tsx';
import { ContentParts } from './content-parts.tsx';

export function UserMessage({ block }: { readonly block: UserMessageBlock }) {
  return (
    <div className="user-message">
      <span className="visually-hidden">You: </span>
      <div className="user-words" dir="auto">
        <ContentParts content={block.content} />
      </div>
      <PromptActions blockId={block.id} />
    </div>
  );
}
