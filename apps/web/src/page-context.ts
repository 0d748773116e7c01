import { createContext, useContext } from 'react';
import type { PageApi } from './api.ts';
import type { SessionsStore } from './sessions/session-store.ts';

/** What every part of the page may use. */
export interface PageParts {
  readonly api: PageApi;
  readonly sessions: SessionsStore;
  /** Says something to the person, also to those who listen. */
  readonly announce: (message: string) => void;
  readonly openSearch: () => void;
}

export const PageContext = createContext<PageParts | undefined>(undefined);

export function usePage(): PageParts {
  const parts = useContext(PageContext);
  if (!parts) throw new Error('The page has not been set up around this component.');
  return parts;
}
