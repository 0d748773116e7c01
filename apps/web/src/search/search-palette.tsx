import {
  type KeyboardEvent,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import type { SearchAnswer, SearchHit, SessionRow } from '../api-types.ts';
import { byPosition } from '../by-position.ts';
import { formatAge, plural } from '../format.ts';
import { Overlay } from '../overlay.tsx';
import { usePage } from '../page-context.ts';
import { navigate, sessionAddress } from '../route.ts';
import { AgentBadge } from '../sessions/agent-badge.tsx';
import {
  type PaletteAction,
  type PaletteEntry,
  paletteActions,
  paletteEntries,
} from './palette-entries.ts';
import { readSearchQuery } from './search-query.ts';

interface SearchPaletteProps {
  readonly initialQuery: string;
  /** Limits the search to this session. */
  readonly inside: SessionRow | undefined;
  readonly onClose: () => void;
}

/** Searches all sessions, titles and actions; Enter opens the conversation at the hit. */
export function SearchPalette({ initialQuery, inside, onClose }: SearchPaletteProps) {
  const page = usePage();
  const [text, setText] = useState(initialQuery);
  const [chosen, setChosen] = useState(0);
  const { answer, problem } = useSearch(text, inside);
  const { rows } = useSyncExternalStore(page.sessions.subscribe, page.sessions.getState);
  const list = useId();
  const hits = answer?.hits ?? [];
  const actions = useMemo(() => paletteActions(page), [page]);
  const entries = paletteEntries({ text, rows, hits, actions, isInside: inside !== undefined });
  const open = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    onClose();
    if (entry.kind === 'action') entry.action.run();
    else if (entry.kind === 'session') navigate(sessionAddress(entry.row));
    else navigate(hitAddress(entry.hit, text));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'ArrowDown') setChosen(Math.min(entries.length - 1, chosen + 1));
    else if (event.key === 'ArrowUp') setChosen(Math.max(0, chosen - 1));
    else if (event.key === 'Enter') open(entries[chosen]);
    else return;
    event.preventDefault();
  };
  const label = inside ? 'Find in this session' : 'Search every session';
  return (
    <Overlay label="Search" onClose={onClose}>
      <div className="palette">
        <input
          // biome-ignore lint/a11y/noAutofocus: the dialog was opened to type here.
          autoFocus
          dir="auto"
          role="combobox"
          aria-label={label}
          aria-expanded={entries.length > 0}
          aria-controls={list}
          aria-activedescendant={entries.length > 0 ? `${list}-${chosen}` : undefined}
          placeholder={inside ? label : 'Search every session, or go somewhere'}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setChosen(0);
          }}
          onKeyDown={onKeyDown}
        />
        {entries.length > 0 && (
          <div id={list} className="hits" role="listbox" aria-label="Hits">
            {entries.map((entry, index) => (
              <Entry
                key={entry.key}
                id={`${list}-${index}`}
                entry={entry}
                isInside={inside !== undefined}
                isChosen={index === chosen}
                onOpen={() => open(entry)}
              />
            ))}
          </div>
        )}
        <PaletteFoot words={problem ?? summaryOf(answer)} />
      </div>
    </Overlay>
  );
}

function hitAddress(hit: SearchHit, text: string): string {
  const { agent, session_id: id, thread, block_id: block } = hit;
  return sessionAddress({ agent, id }, { thread, block, words: readSearchQuery(text).q });
}

function PaletteFoot({ words }: { readonly words: string }) {
  return (
    <footer>
      <span className="wide-only">
        <kbd>↑</kbd> <kbd>↓</kbd> move
      </span>
      <span className="wide-only">
        <kbd>↵</kbd> open
      </span>
      <span className="wide-only">agent: and project: narrow it</span>
      <span className="grow" />
      <span className="numeric" role="status">
        {words}
      </span>
    </footer>
  );
}

function summaryOf(answer: SearchAnswer | undefined): string {
  if (!answer) return '';
  if (answer.problem !== undefined) return answer.problem;
  const { hits, has_more: hasMore, took_ms: took } = answer;
  const words = hits.length === 0 ? 'Said nowhere' : plural(hits.length, 'place');
  return `${words}${hasMore ? ', the newest,' : ''} in ${took} ms`;
}

interface EntryProps {
  readonly id: string;
  readonly entry: PaletteEntry;
  readonly isInside: boolean;
  readonly isChosen: boolean;
  readonly onOpen: () => void;
}

function Entry({ id, entry, isInside, isChosen, onOpen }: EntryProps) {
  const place = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isChosen) place.current?.scrollIntoView({ block: 'nearest' });
  }, [isChosen]);
  return (
    <button
      ref={place}
      id={id}
      type="button"
      className={entry.kind === 'hit' ? 'hit' : 'hit hit-line'}
      role="option"
      tabIndex={-1}
      aria-selected={isChosen}
      onClick={onOpen}
    >
      {entry.kind === 'action' && <ActionEntry action={entry.action} />}
      {entry.kind === 'session' && <SessionEntry row={entry.row} />}
      {entry.kind === 'hit' && <HitEntry hit={entry.hit} isInside={isInside} />}
    </button>
  );
}

function ActionEntry({ action: { label, icon: Icon, keys } }: { readonly action: PaletteAction }) {
  return (
    <>
      <Icon className="faint" aria-hidden="true" />
      <span className="ellipsis">{label}</span>
      {keys !== undefined && <kbd>{keys}</kbd>}
    </>
  );
}

function SessionEntry({ row }: { readonly row: SessionRow }) {
  return (
    <>
      <AgentBadge agent={row.agent} />
      <span className="ellipsis">
        <b dir="auto">{row.title}</b> <span className="dim">{row.project}</span>
      </span>
      <span className="faint numeric">{formatAge(Date.parse(row.updated_at), Date.now())}</span>
    </>
  );
}

function HitEntry({ hit, isInside }: { readonly hit: SearchHit; readonly isInside: boolean }) {
  return (
    <>
      {!isInside && (
        <>
          <AgentBadge agent={hit.agent} />
          <b className="ellipsis" dir="auto">
            {hit.title}
          </b>
          <span className="faint numeric">{formatAge(Date.parse(hit.updated_at), Date.now())}</span>
        </>
      )}
      <span className="hit-text" dir="auto">
        {byPosition(hit.snippet, ({ text, hit: isHit }, position) =>
          isHit ? <mark key={position}>{text}</mark> : <span key={position}>{text}</span>,
        )}
      </span>
    </>
  );
}

/** Debounce of the search. */
const PAUSE_MS = 120;

/** Maximum hits when searching within one session. */
const HITS_INSIDE = 20;

function useSearch(
  text: string,
  inside: SessionRow | undefined,
): { answer?: SearchAnswer; problem?: string } {
  const { api } = usePage();
  const session = inside && (inside.native_id ?? inside.id);
  const agent = inside?.agent;
  const [found, setFound] = useState<{ answer?: SearchAnswer; problem?: string }>({});
  useEffect(() => {
    const query = readSearchQuery(text);
    if (query.q === '') {
      setFound({});
      return;
    }
    const asking = new AbortController();
    const timer = setTimeout(() => {
      const one = session === undefined ? {} : { session, agent, hits: HITS_INSIDE };
      api.search({ ...query, ...one }, asking.signal).then(
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
  }, [api, text, session, agent]);
  return found;
}
