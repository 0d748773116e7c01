import { useEffect, useState } from 'react';
import type { PageApi } from '../api.ts';
import type { CommandFacts } from '../api-types.ts';
import type { Completion } from './draft.ts';

export interface Suggestion {
  readonly word: string;
  readonly description: string;
}

interface SuggestionSources {
  readonly api: PageApi;
  readonly sessionId: string;
  readonly commands: readonly CommandFacts[];
}

const MAX_SHOWN = 8;
const NONE: readonly Suggestion[] = [];

/** Suggestions for the word at the cursor: the session's commands, and files from the server. */
export function useSuggestions(
  completion: Completion | undefined,
  { api, sessionId, commands }: SuggestionSources,
): readonly Suggestion[] {
  const [files, setFiles] = useState(NONE);
  const fileQuery = completion?.kind === 'file' ? completion.query : undefined;
  useEffect(() => {
    if (fileQuery === undefined) {
      setFiles(NONE);
      return;
    }
    const asking = new AbortController();
    api.files(sessionId, fileQuery, asking.signal).then(
      ({ files: found }) =>
        setFiles(found.slice(0, MAX_SHOWN).map((path) => ({ word: `@${path}`, description: '' }))),
      // Suggestions are optional; the path can still be typed.
      () => setFiles(NONE),
    );
    return () => asking.abort();
  }, [api, sessionId, fileQuery]);
  if (completion?.kind === 'command') return matchingCommands(commands, completion.query);
  return files;
}

export function matchingCommands(
  commands: readonly CommandFacts[],
  query: string,
): readonly Suggestion[] {
  const wanted = query.toLowerCase();
  const starts = commands.filter(({ name }) => name.toLowerCase().startsWith(wanted));
  const holds = commands.filter(
    ({ name }) => !name.toLowerCase().startsWith(wanted) && name.toLowerCase().includes(wanted),
  );
  return [...starts, ...holds]
    .slice(0, MAX_SHOWN)
    .map(({ name, description }) => ({ word: `/${name}`, description }));
}
