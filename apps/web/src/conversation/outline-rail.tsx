import type { SessionMetadata } from '@robota-sdk/agent-transcript';
import { DiffCounts } from '../blocks/tool-call.tsx';
import { formatCost, formatCount } from '../format.ts';
import type { Outline } from './outline.ts';

interface OutlineRailProps {
  readonly outline: Outline;
  readonly metadata: SessionMetadata;
  readonly cost: number | undefined;
  readonly threadHref: (subagentId: string) => string;
  readonly onGo: (ordinal: number) => void;
}

/** The outline beside the conversation: prompts, changed files, subagents and usage. */
export function OutlineRail({ outline, metadata, cost, threadHref, onGo }: OutlineRailProps) {
  return (
    <aside className="rail" aria-label="Outline">
      {outline.prompts.length > 0 && (
        <section>
          <h2>Prompts</h2>
          {outline.prompts.map(({ ordinal, text }) => (
            <button key={ordinal} type="button" className="rail-line" onClick={() => onGo(ordinal)}>
              <span className="ellipsis" dir="auto">
                {text}
              </span>
            </button>
          ))}
        </section>
      )}
      {outline.files.length > 0 && (
        <section>
          <h2>Changed files</h2>
          {outline.files.map(({ path, added, removed, ordinal }) => (
            <button key={path} type="button" className="rail-line" onClick={() => onGo(ordinal)}>
              <span className="ellipsis grow mono" title={path}>
                {path.split('/').slice(-2).join('/')}
              </span>
              <DiffCounts added={added} removed={removed} />
            </button>
          ))}
        </section>
      )}
      {outline.subagents.length > 0 && (
        <section>
          <h2>Subagents</h2>
          {outline.subagents.map(({ id, name }) => (
            <a key={id} className="rail-line" href={threadHref(id)}>
              <span className="ellipsis grow">{name}</span>
            </a>
          ))}
        </section>
      )}
      <UsageFacts metadata={metadata} cost={cost} />
    </aside>
  );
}

function UsageFacts({
  metadata,
  cost,
}: {
  readonly metadata: SessionMetadata;
  readonly cost: number | undefined;
}) {
  const { usage } = metadata;
  if (!usage) return null;
  return (
    <section>
      <h2>Usage</h2>
      <dl>
        <dt>Input</dt>
        <dd>{formatCount(usage.inputTokens)}</dd>
        {(usage.cacheReadTokens ?? 0) > 0 && (
          <>
            <dt>Cached</dt>
            <dd>{formatCount(usage.cacheReadTokens ?? 0)}</dd>
          </>
        )}
        <dt>Output</dt>
        <dd>{formatCount(usage.outputTokens)}</dd>
        <dt>Cost</dt>
        <dd>{formatCost(cost ?? metadata.costUSD)}</dd>
      </dl>
    </section>
  );
}
