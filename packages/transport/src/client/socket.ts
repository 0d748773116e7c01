/** The part of WebSocket the client needs; both the browser's and that of `ws` fit. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** Constructor of a WebSocket. */
export type SocketConstructor = new (url: string, protocols: string[]) => SocketLike;
/** The part of `fetch` the client needs. */
export type FetchLike = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }>;

/** The given WebSocket, or the platform's. */
export function socketConstructor(given: SocketConstructor | undefined): SocketConstructor {
  const found = given ?? (globalThis as { WebSocket?: unknown }).WebSocket;
  if (typeof found === 'function') return found as SocketConstructor;
  throw new Error('This platform has no WebSocket; pass one, such as that of the package "ws".');
}
