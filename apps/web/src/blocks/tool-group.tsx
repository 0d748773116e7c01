import type { ToolResultBlock, ToolUseBlock } from '@robota-sdk/agent-transcript';
import { describeTool, neutraliseEscapes, type ToolView } from '@robota-sdk/agent-transcript';
import { Eye } from 'lucide-react';
import { useMemo } from 'react';
import { plural } from '../format.ts';
import { Fold } from './fold.tsx';

import { ToolCall, ToolState } from './tool-call.tsx';

export interface CallWithResult {
  readonly block: ToolUseBlock;
  readonly result?: ToolResultBlock | undefined;
}

/** Consecutive read-only calls as one line: "Read 3 files, searched once". */
export function ToolGroup({ calls }: { readonly calls: readonly CallWithResult[] }) {
  const views = useMemo(
    () => calls.map(({ block, result }) => describeTool(block, result)),
    [calls],
  );
  const names = views.map(({ target }) => neutraliseEscapes(target).split('/').at(-1)).join(', ');
  const isRunning = views.some(({ state }) => state === 'running');
  return (
    <Fold
      className="tool tool-group"
      head={
        <>
          <Eye aria-hidden="true" />
          <span className="fold-name">{groupLabel(views)}</span>
          <span className="tool-target ellipsis grow faint" dir="ltr">
            {names}
          </span>
          <ToolState state={isRunning ? 'running' : 'success'} />
        </>
      }
    >
      <div className="tool-group-calls">
        {calls.map(({ block, result }) => (
          <ToolCall key={block.id} block={block} result={result} />
        ))}
      </div>
    </Fold>
  );
}

export function groupLabel(views: readonly Pick<ToolView, 'kind'>[]): string {
  const count = (kind: ToolView['kind']) => views.filter((view) => view.kind === kind).length;
  const [read, searched, listed] = [count('read'), count('search'), count('list')];
  const parts = [
    read > 0 && `read ${plural(read, 'file')}`,
    searched > 0 && `searched ${times(searched)}`,
    listed > 0 && `listed ${times(listed)}`,
  ].filter((part) => part !== false);
  const label = parts.join(', ');
  return label.charAt(0).toUpperCase() + label.slice(1);
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}
