import type { SupersededBranch } from '@robota-sdk/agent-transcript';
import { Undo2 } from 'lucide-react';
import { plural } from '../format.ts';
import { BlockView } from './block-view.tsx';
import { Fold } from './fold.tsx';

const REASONS = {
  rewind: 'Rewound here',
  retry: 'Tried again here',
  branch: 'Branched here',
  reset: 'Cleared here',
};

/** Marks where part of the conversation was rewound, and keeps that part readable. */
export function SetAside({ branch }: { readonly branch: SupersededBranch }) {
  const results = new Map(
    branch.blocks.flatMap((block) =>
      block.type === 'tool_result' ? [[block.toolUseId, block] as const] : [],
    ),
  );
  return (
    <Fold
      className="set-aside"
      head={
        <>
          <Undo2 aria-hidden="true" />
          <span className="fold-name">{REASONS[branch.reason]}</span>
          <span className="faint grow">{plural(branch.blocks.length, 'block')} set aside</span>
        </>
      }
    >
      <div className="set-aside-blocks">
        {branch.blocks.map((block) => (
          <BlockView
            key={block.id}
            block={block}
            result={block.type === 'tool_use' ? results.get(block.toolUseId) : undefined}
          />
        ))}
      </div>
    </Fold>
  );
}
