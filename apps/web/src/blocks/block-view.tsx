import type { ConversationBlock, ToolResultBlock } from '@robota-sdk/agent-transcript';
import { memo, type ReactNode } from 'react';
import { Markdown } from '../markdown/markdown-view.tsx';
import { Subagent } from './subagent.tsx';
import { SystemMark } from './system-mark.tsx';
import { Thinking } from './thinking.tsx';
import { ToolCall } from './tool-call.tsx';
import { ToolOutput } from './tool-output.tsx';
import { UserMessage } from './user-message.tsx';

export interface BlockViewProps {
  readonly block: ConversationBlock;
  /** The result, when the block is a call. */
  readonly result?: ToolResultBlock | undefined;
  readonly isLive?: boolean | undefined;
  /** Address of a subagent's thread. */
  readonly threadHref?: ((subagentId: string) => string) | undefined;
}

/** One block of a conversation, of any type. */
export const BlockView = memo(function BlockView(props: BlockViewProps): ReactNode {
  const { block } = props;
  switch (block.type) {
    case 'user_message':
      return <UserMessage block={block} />;
    case 'assistant_text':
      return <Markdown text={block.content} />;
    case 'thinking':
      return <Thinking block={block} isLive={props.isLive} />;
    case 'tool_use':
      return <ToolCall block={block} result={props.result} />;
    case 'tool_result':
      return <LoneResult block={block} />;
    case 'system':
      return <SystemMark block={block} />;
    case 'subagent':
      return <Subagent block={block} href={props.threadHref?.(block.subagentId)} />;
  }
});

/** A result whose call is missing, for example after a compaction. */
function LoneResult({ block }: { readonly block: ToolResultBlock }) {
  const text = typeof block.output === 'string' ? block.output : JSON.stringify(block.output);
  return <ToolOutput text={text ?? ''} isError={block.isError} part="beginning" />;
}
