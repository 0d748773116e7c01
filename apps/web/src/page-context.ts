import { createContext, useContext } from 'react';
import type { PageApi } from './api.ts';
import type { SessionRow } from './api-types.ts';
import type { SessionsStore } from './sessions/session-store.ts';

type Role = 'prompt' | 'approve' | 'admin';

/** What every part of the page may use. */
export interface PageParts {
  readonly api: PageApi;
  readonly sessions: SessionsStore;
  /** Says something to the person, also to those who listen. */
  readonly announce: (message: string) => void;
  /** In one session alone where one is given. */
  readonly openSearch: (inside?: SessionRow) => void;
  readonly openHelp: () => void;
  readonly create: (agent: string) => void;
  /** Whether this page may do what needs a role; yes until the server has said otherwise. */
  readonly may: (role: Role) => boolean;
}

export const PageContext = createContext<PageParts | undefined>(undefined);

export function usePage(): PageParts {
  const parts = useContext(PageContext);
  if (!parts) throw new Error('The page has not been set up around this component.');
  return parts;
}
