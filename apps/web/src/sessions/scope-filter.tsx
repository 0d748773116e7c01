import { Archive, Folder } from 'lucide-react';
import { AgentBadge, agentName } from './agent-badge.tsx';
import type { SessionsScope, SessionsState } from './session-store.ts';

interface ScopeFilterProps {
  readonly state: Pick<SessionsState, 'scope' | 'agents' | 'projects'>;
  readonly onScope: (change: SessionsScope) => void;
}

/** Filters by agent, project or archive. */
export function ScopeFilter({ state, onScope }: ScopeFilterProps) {
  const { agent, project, isArchive = false } = state.scope;
  return (
    <div className="scope">
      {/* Hidden when there is nothing to choose. */}
      {state.agents.length > 1 && (
        <fieldset className="chips agent-chips">
          <legend className="visually-hidden">Agent</legend>
          {state.agents.map((name) => (
            <button
              key={name}
              type="button"
              className="chip"
              aria-pressed={agent === name}
              aria-label={`Only ${agentName(name)}`}
              onClick={() => onScope({ agent: agent === name ? undefined : name })}
            >
              <AgentBadge agent={name} />
            </button>
          ))}
        </fieldset>
      )}
      <span className="grow" />
      {state.projects.length > 1 && (
        <span className="pill">
          <Folder aria-hidden="true" />
          <select
            aria-label="Project"
            value={project ?? ''}
            onChange={({ target: { value } }) =>
              onScope({ project: value === '' ? undefined : value })
            }
          >
            <option value="">All projects</option>
            {state.projects.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </span>
      )}
      <button
        type="button"
        className="icon-button"
        aria-label="Archived sessions"
        title="Archived sessions"
        aria-pressed={isArchive}
        onClick={() => onScope({ isArchive: !isArchive })}
      >
        <Archive aria-hidden="true" />
      </button>
    </div>
  );
}
