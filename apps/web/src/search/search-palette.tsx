import { type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { SearchAnswer, SearchHit } from '../api-types.ts';
import { byPosition } from '../by-position.ts';
import { formatAge } from '../format.ts';
import { Overlay } from '../overlay.tsx';
import { usePage } from '../page-context.ts';
import { navigate, sessionAddress } from '../route.ts';
import { AgentBadge } from '../sessions/agent-badge.tsx';
import { readSearchQuery } from './search-query.ts';

interface SearchPaletteProps {
  readonly initialQuery: string;
  readonly onClose: () => void;
}

/** Words of any session; Enter opens the conversation at the hit. */
export function SearchPalette({ initialQuery, onClose }: SearchPaletteProps) {
  const [text, setText] = useState(initialQuery);
  const [chosen, setChosen] = useState(0);
  const { answer, problem } = useSearch(text);
  const list = useId();
  const hits = answer?.hits ?? [];
  const open = (hit: SearchHit | undefined) => {
    if (!hit) return;
    onClose();
    navigate(sessionAddress({ agent: hit.agent, id: hit.session_id }, { block: hit.ordinal }));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setChosen(Math.min(hits.length - 1, chosen + 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, chosen - 1));
    else if (event.key === 'Enter') open(hits[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Overlay label="Search" onClose={onClose}>
      <div className="palette">
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here.
          autoFocus
          dir="auto"
          role="combobox"
          aria-label="Search every session"
          aria-expanded={hits.length > 0}
          aria-controls={list}
          aria-activedescendant={hits.length > 0 ? `${list}-${chosen}` : undefined}
          placeholder="Search every session"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        {hits.length > 0 && (
          <div id={list} className="hits" role="listbox" aria-label="Hits">
            {hits.map((hit, index) => (
              <Hit
                key={`${hit.session_id}/${hit.block_id}/${hit.ordinal}`}
                id={`${list}-${index}`}
                hit={hit}
                isChosen={index === chosen}
                onOpen={() => open(hit)}
              />
            ))}
          </div>
        )}
        <footer>
          <span>
            <kbd>↑</kbd> <kbd>↓</kbd> move
          </span>
          <span>
            <kbd>↵</kbd> open at the hit
          </span>
          <span className="wide-only">agent: and project: narrow it</span>
          <span className="grow" />
          <span className="numeric" role="status">
            {problem ?? summaryOf(answer)}
          </span>
        </footer>
      </div>
    </Overlay>
  );
}

function summaryOf(answer: SearchAnswer | undefined): string {
  if (!answer) return '';
  return `${answer.hits.length} of ${answer.total.toLocaleString('en')} in ${answer.took_ms} ms`;
}

interface HitProps {
  readonly id: string;
  readonly hit: SearchHit;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

function Hit({ id, hit, isChosen, onOpen }: HitProps) {
  return (
    <button
      id={id}
      type="button"
      className="hit"
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onOpen}
    >
      <AgentBadge agent={hit.agent} />
      <b className="ellipsis" dir="auto">
        {hit.title}
      </b>
      <span className="faint numeric">{formatAge(Date.parse(hit.updated_at), Date.now())}</span>
      <span className="hit-text" dir="auto">
        {byPosition(hit.snippet, ({ text, hit: isHit }, position) =>
          isHit ? <mark key={position}>{text}</mark> : <span key={position}>{text}</span>,
        )}
      </span>
    </button>
  );
}

/** A pause in typing this long asks the server. */
const PAUSE_MS = 120;

function useSearch(text: string): { answer?: SearchAnswer; problem?: string } {
  const { api } = usePage();
  const [found, setFound] = useState<{ answer?: SearchAnswer; problem?: string }>({});
  useEffect(() => {
    const query = readSearchQuery(text);
    if (query.q === '') {
      setFound({});
      return;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      api.search(query, asking.signal).then(
        (answer) => setFound({ answer }),
        (error: Error) => {
          if (!asking.signal.aborted) setFound({ problem: error.message });
        },
      );
    }, PAUSE_MS);
    return () => {
      clearTimeout(timer);
      asking.abort();
    };
  }, [api, text]);
  return found;
}
