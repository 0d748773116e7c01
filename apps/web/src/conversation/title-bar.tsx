import { ArrowLeft, GitFork, PanelRight } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { SessionRow } from '../api-types.ts';
import { formatCost } from '../format.ts';
import { sessionAddress } from '../route.ts';
import { agentName } from '../sessions/agent-badge.tsx';

interface TitleBarProps {
  readonly session: SessionRow;
  readonly thread: string;
  readonly context: { readonly usedPercentage: number; readonly usedTokens: number } | undefined;
  readonly isRenaming: boolean;
  readonly onRename: (name: string) => void;
  /** Undefined when read-only. */
  readonly onFork: (() => void) | undefined;
  readonly isOutlineOpen: boolean;
  readonly onOutline: () => void;
  readonly children: ReactNode;
}

export function TitleBar(props: TitleBarProps) {
  const { session, thread, context } = props;
  const facts = [session.project, session.branch, session.model ?? agentName(session.agent)];
  return (
    <header className="title-bar">
      <a className="icon-button back" href="/" aria-label="All sessions">
        <ArrowLeft aria-hidden="true" />
      </a>
      <div className="grow">
        {props.isRenaming ? (
          <RenameForm title={session.title} onRename={props.onRename} />
        ) : (
          <h1 className="ellipsis" dir="auto">
            {session.title}
          </h1>
        )}
        <div className="title-facts ellipsis">
          {thread !== 'main' && (
            <>
              <a href={sessionAddress(session)}>Back to the session</a>
              {' · Subagent · '}
            </>
          )}
          {facts.filter(Boolean).join(' · ')}
        </div>
      </div>
      <Meter context={context} cost={session.cost_usd} />
      {props.onFork && (
        <button
          type="button"
          className="icon-button wide-only"
          aria-label="Fork"
          title="Fork"
          onClick={props.onFork}
        >
          <GitFork aria-hidden="true" />
        </button>
      )}
      <button
        type="button"
        className="icon-button wide-only"
        aria-label="Outline"
        aria-pressed={props.isOutlineOpen}
        onClick={props.onOutline}
      >
        <PanelRight aria-hidden="true" />
      </button>
      {props.children}
    </header>
  );
}

function Meter({
  context: shown,
  cost,
}: {
  readonly context: TitleBarProps['context'];
  readonly cost: number | undefined;
}) {
  // Context usage of a session that is not open is unknown.
  const context = shown && shown.usedTokens > 0 ? shown : undefined;
  if (!context && cost === undefined) return null;
  const share = Math.round(context?.usedPercentage ?? 0);
  return (
    <span className="meter wide-only">
      {context && (
        <>
          <meter
            min={0}
            max={100}
            value={share}
            aria-label="Context window used"
            title={`${context.usedTokens.toLocaleString('en')} tokens`}
          />
          {share}%
        </>
      )}
      {context && cost !== undefined && ' · '}
      {cost !== undefined && formatCost(cost)}
    </span>
  );
}

function RenameForm({
  title,
  onRename,
}: {
  readonly title: string;
  readonly onRename: (name: string) => void;
}) {
  const [name, setName] = useState(title);
  return (
    <form action={() => onRename(name.trim())}>
      <input
        className="field"
        aria-label="Name of the session"
        // biome-ignore lint/a11y/noAutofocus: the user just chose to rename.
        autoFocus
        value={name}
        onChange={(event) => setName(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onRename(title);
        }}
      />
    </form>
  );
}
