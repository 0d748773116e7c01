import type { SupersededBranch } from '@robota-sdk/agent-transcript';
import { memo, type ReactNode } from 'react';
import { BlockView } from '../blocks/block-view.tsx';
import { SetAside } from '../blocks/set-aside.tsx';
import { ToolGroup } from '../blocks/tool-group.tsx';
import { byPosition } from '../by-position.ts';
import type { BlockRow } from './row-plan.ts';

interface RowViewProps {
  readonly row: BlockRow;
  readonly isLive?: boolean | undefined;
  readonly threadHref?: ((subagentId: string) => string) | undefined;
  /** Rewound parts after this row. */
  readonly branches?: readonly SupersededBranch[] | undefined;
}

/** One row of a conversation. */
export const RowView = memo(function RowView(props: RowViewProps): ReactNode {
  return (
    <>
      <RowContent {...props} />
      {byPosition(props.branches ?? [], (branch, position) => (
        <SetAside key={position} branch={branch} />
      ))}
    </>
  );
});

function RowContent({ row, isLive, threadHref }: RowViewProps): ReactNode {
  switch (row.kind) {
    case 'loading':
      return <div className="row-placeholder" aria-hidden="true" />;
    case 'nothing':
      return null;
    case 'group':
      return <ToolGroup calls={row.calls} />;
    case 'block':
      return (
        <BlockView block={row.block} result={row.result} isLive={isLive} threadHref={threadHref} />
      );
  }
}
