import { useSyncExternalStore } from 'react';

/** What the page shows, parsed from its address. */
export type PageRoute =
  | { readonly page: 'home' }
  | {
      readonly page: 'session';
      readonly agent: string;
      readonly id: string;
      readonly thread: string;
      /** The block to open at, by id or index. */
      readonly block: string | undefined;
      /** The search query to mark in that block. */
      readonly words: string | undefined;
    }
  | { readonly page: 'search'; readonly query: string }
  | { readonly page: 'usage' }
  | { readonly page: 'settings' };

export function readRoute(pathname: string, search: string): PageRoute {
  const query = new URLSearchParams(search);
  const parts = pathname.split('/').filter(Boolean).map(decodePart);
  const [first, agent, id, mark, thread] = parts;
  if (first === 's' && agent && id) {
    return {
      page: 'session',
      agent,
      id,
      thread: mark === 't' && thread ? thread : 'main',
      block: query.get('block') ?? undefined,
      words: query.get('q') ?? undefined,
    };
  }
  if (first === 'search') return { page: 'search', query: query.get('q') ?? '' };
  if (first === 'usage') return { page: 'usage' };
  return first === 'settings' || first === 'trust' ? { page: 'settings' } : { page: 'home' };
}

export function sessionAddress(
  session: { readonly agent: string; readonly id: string },
  place: {
    readonly thread?: string;
    readonly block?: string | number;
    readonly words?: string | undefined;
  } = {},
): string {
  const base = `/s/${encodeURIComponent(session.agent)}/${encodeURIComponent(session.id)}`;
  const { thread = 'main', block, words } = place;
  const path = thread === 'main' ? base : `${base}/t/${encodeURIComponent(thread)}`;
  if (block === undefined) return path;
  const query = words === undefined ? '' : `&q=${encodeURIComponent(words)}`;
  return `${path}?block=${encodeURIComponent(block)}${query}`;
}

const listeners = new Set<() => void>();

export function navigate(address: string): void {
  history.pushState(null, '', address);
  for (const listener of listeners) listener();
}

/** The address as a string; changes with every navigation. */
export function useAddress(): string {
  return useSyncExternalStore(subscribe, () => `${location.pathname}${location.search}`);
}

/** Handles links within the page; everything else is left to the browser. */
export function followOwnLinks(root: HTMLElement): void {
  root.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    const href = link?.getAttribute('href') ?? '';
    if (!href.startsWith('/') || href.startsWith('//') || link?.hasAttribute('download')) return;
    event.preventDefault();
    navigate(href);
  });
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  addEventListener('popstate', listener);
  return () => {
    listeners.delete(listener);
    removeEventListener('popstate', listener);
  };
}

function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    // A malformed address is looked up as it is and not found.
    return part;
  }
}
