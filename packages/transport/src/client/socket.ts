/** As much of a WebSocket as the client needs; the browser's and that of `ws` both are one. */
export interface SocketLike {
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(text: string): void;
  close(code?: number, reason?: string): void;
}

/** Makes a WebSocket. */
export type SocketConstructor = new (url: string, protocols: string[]) => SocketLike;
/** As much of `fetch` as the client needs. */
export type FetchLike = (
  url: string,
  options?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<{ readonly ok: boolean; readonly status: number; json(): Promise<unknown> }>;

/** The platform's WebSocket, or the one given where there is none. */
export function socketConstructor(given: SocketConstructor | undefined): SocketConstructor {
  const found = given ?? (globalThis as { WebSocket?: unknown }).WebSocket;
  if (typeof found === 'function') return found as SocketConstructor;
  throw new Error('This platform has no WebSocket; give one, such as that of the package "ws".');
}
