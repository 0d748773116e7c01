import type { SubagentBlock } from '@robota-sdk/agent-transcript';
import { Bot, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatDuration } from '../format.ts';

interface SubagentProps {
  readonly block: SubagentBlock;
  /** Address of its thread; an export includes the thread instead. */
  readonly href?: string | undefined;
}

/** A link to a subagent's thread. */
export function Subagent({ block, href }: SubagentProps): ReactNode {
  const body = <SubagentCard block={block} hasThread={href !== undefined} />;
  if (href === undefined) return <div className="subagent">{body}</div>;
  return (
    <a className="subagent" href={href}>
      {body}
    </a>
  );
}

const STATE_WORDS = { pending: 'Waiting', running: 'Working', success: 'Done', error: 'Failed' };
const STATE_CLASSES = { pending: '', running: 'state-working', success: '', error: 'state-failed' };

function SubagentCard({
  block,
  hasThread,
}: {
  readonly block: SubagentBlock;
  readonly hasThread: boolean;
}) {
  return (
    <>
      <span className="subagent-icon">
        <Bot aria-hidden="true" />
      </span>
      <span className="subagent-name">
        <b dir="auto">{block.name ?? 'Subagent'}</b>
        <span className={`state ${STATE_CLASSES[block.status]}`}>{STATE_WORDS[block.status]}</span>
      </span>
      <span className="faint numeric">
        {block.durationMs === undefined ? '' : formatDuration(block.durationMs)}
      </span>
      <span className="ellipsis dim" dir="auto">
        {block.output ?? block.input}
      </span>
      {hasThread && <ChevronRight className="faint" aria-hidden="true" />}
    </>
  );
}
