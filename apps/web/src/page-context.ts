import { createContext, useContext } from 'react';
import type { PageApi } from './api.ts';
import type { SessionRow } from './api-types.ts';
import type { SessionsStore } from './sessions/session-store.ts';

type Role = 'prompt' | 'approve' | 'admin';

/** Shared by all parts of the page. */
export interface PageParts {
  readonly api: PageApi;
  readonly sessions: SessionsStore;
  /** Shows a message to the user, including screen readers. */
  readonly announce: (message: string) => void;
  /** Searches only `inside` when given. */
  readonly openSearch: (inside?: SessionRow) => void;
  readonly openHelp: () => void;
  readonly create: (agent: string) => void;
  /** Whether this page has a role; true until the server has answered. */
  readonly may: (role: Role) => boolean;
}

export const PageContext = createContext<PageParts | undefined>(undefined);

export function usePage(): PageParts {
  const parts = useContext(PageContext);
  if (!parts) throw new Error('This component needs a PageContext.');
  return parts;
}
