import { PageApi } from './api.ts';

const KEY = 'robota.token';
const CHANNEL = 'robota.token';
/** How long other tabs have to share their token. */
const ASK_MS = 150;

/** A tab's storage, its channel to other tabs and its location. */
export interface TokenPlace {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
  readonly channel: BroadcastChannel | undefined;
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search' | 'origin'>;
  /** Replaces the address without navigation. */
  readonly replaceAddress: (address: string) => void;
  readonly redeem: (code: string) => Promise<string>;
}

export function browserTokenPlace(): TokenPlace {
  return {
    storage: sessionStorage,
    channel: typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(CHANNEL),
    location,
    replaceAddress: (address) => history.replaceState(null, '', address),
    redeem: (code) => new PageApi({ url: location.origin, token: '' }).redeemLink(code),
  };
}

/**
 * The token for this tab: from a one-time code in the address, from the tab itself, or from another tab. The code is
 * removed from the address before it is used, so that neither the history nor a copied link contains it.
 */
export async function findToken(place: TokenPlace): Promise<string | undefined> {
  const { hash, pathname, search } = place.location;
  const code = /^#code=([\w-]+)$/.exec(hash)?.[1];
  if (code !== undefined) {
    place.replaceAddress(`${pathname}${search}`);
    const token = await place.redeem(code).catch(() => undefined);
    if (token !== undefined) return keepToken(place, token);
  }
  const kept = place.storage.getItem(KEY);
  if (kept !== null) return shareToken(place, kept);
  const token = await askOtherTabs(place);
  return token === undefined ? undefined : keepToken(place, token);
}

export function keepToken(place: TokenPlace, token: string): string {
  place.storage.setItem(KEY, token);
  return shareToken(place, token);
}

/** Removes the token and stops sharing it with other tabs. */
export function forgetToken(place: TokenPlace): void {
  place.storage.removeItem(KEY);
  if (place.channel) place.channel.onmessage = null;
}

/** Accepts a token from a tab that answers late, until the returned function is called. */
export function awaitLateToken(place: TokenPlace, onToken: (token: string) => void): () => void {
  const { channel } = place;
  if (!channel) return () => undefined;
  const listener = ({ data }: { readonly data: { readonly token?: unknown } }) => {
    if (typeof data?.token === 'string') onToken(keepToken(place, data.token));
  };
  channel.addEventListener('message', listener);
  return () => channel.removeEventListener('message', listener);
}

/** Shares the token with new tabs of this browser. */
function shareToken(place: TokenPlace, token: string): string {
  if (!place.channel) return token;
  place.channel.onmessage = ({ data }: { readonly data: unknown }) => {
    if (data === 'ask') place.channel?.postMessage({ token });
  };
  return token;
}

function askOtherTabs({ channel }: TokenPlace): Promise<string | undefined> {
  if (!channel) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), ASK_MS);
    channel.onmessage = ({ data }: { readonly data: { readonly token?: unknown } }) => {
      if (typeof data?.token !== 'string') return;
      clearTimeout(timer);
      resolve(data.token);
    };
    channel.postMessage('ask');
  });
}
