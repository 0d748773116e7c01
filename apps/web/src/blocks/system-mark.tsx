import type { SystemBlock } from '@robota-sdk/agent-transcript';
import { TriangleAlert } from 'lucide-react';

/** Notices, compactions and errors that belong to the conversation. */
export function SystemMark({ block }: { readonly block: SystemBlock }) {
  if (block.subtype === 'error') {
    return (
      <div className="system-error" dir="auto">
        <TriangleAlert aria-hidden="true" />
        <span>
          <span className="visually-hidden">Error: </span>
          {block.message}
        </span>
      </div>
    );
  }
  return (
    <div className="system-mark" dir="auto">
      <span>{block.message}</span>
    </div>
  );
}
