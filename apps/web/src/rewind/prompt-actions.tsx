import { GitFork, Undo2 } from 'lucide-react';
import { createContext, useContext } from 'react';

/** Actions on a prompt of the conversation. */
export interface PromptActionsParts {
  /** Undefined when the session cannot rewind. */
  readonly onRewind: ((blockId: string) => void) | undefined;
  readonly onFork: (blockId: string) => void;
}

/** Undefined where there are no actions, as in an export. */
export const PromptActionsContext = createContext<PromptActionsParts | undefined>(undefined);

export function PromptActions({ blockId }: { readonly blockId: string }) {
  const actions = useContext(PromptActionsContext);
  if (!actions) return null;
  const { onRewind, onFork } = actions;
  return (
    <span className="prompt-actions">
      {onRewind && (
        <button
          type="button"
          className="icon-button"
          aria-label="Rewind to before this"
          title="Rewind to before this"
          onClick={() => onRewind(blockId)}
        >
          <Undo2 aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Fork before this"
        title="Fork before this"
        onClick={() => onFork(blockId)}
      >
        <GitFork aria-hidden="true" />
      </button>
    </span>
  );
}
