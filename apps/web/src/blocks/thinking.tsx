import type { ThinkingBlock } from '@robota-sdk/agent-transcript';
import { Sparkles } from 'lucide-react';
import { formatDuration } from '../format.ts';
import { Fold } from './fold.tsx';

interface ThinkingProps {
  readonly block: ThinkingBlock;
  readonly isLive?: boolean | undefined;
}

export function Thinking({ block, isLive = false }: ThinkingProps) {
  const duration = block.metadata?.durationMs;
  const done = typeof duration === 'number' ? `Thought for ${formatDuration(duration)}` : 'Thought';
  const preview = block.summary ?? block.content.slice(0, 160);
  return (
    <Fold
      className="thinking"
      head={
        <>
          <Sparkles aria-hidden="true" />
          <span className="fold-name">{isLive ? 'Thinking…' : done}</span>
          <span className="fold-hint ellipsis grow" dir="auto">
            {preview}
          </span>
        </>
      }
    >
      <div className="thought" dir="auto">
        {block.content || block.summary}
      </div>
    </Fold>
  );
}
