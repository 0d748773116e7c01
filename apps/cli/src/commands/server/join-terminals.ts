import type { LiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import { joinSocketSession, listSocketSessions } from '@robota-sdk/agent-transport/run';

const POLL_MS = 1_000;

/** Joins a session that a terminal holds; released when the terminal has exited. */
export async function joinTerminal(
  id: string,
  release: () => Promise<void>,
): Promise<LiveSession | undefined> {
  const session = await joinSocketSession(id, { surface: `server:${process.pid}` });
  session?.on('connection', ({ state }) => {
    if (state === 'open') return;
    // A broken connection is retried by the client; it is released here only if the terminal has exited.
    void listSocketSessions().then((held) => (held.includes(id) ? undefined : release()));
  });
  return session;
}

/** Makes sessions held by this user's terminals available on the server as soon as they start. */
export function joinTerminals(
  host: Pick<SessionHost, 'get' | 'open'>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  /** Sessions whose failure was reported. They are tried again: a terminal under load may have answered too late. */
  const reported = new Set<string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const joinAll = async (): Promise<void> => {
    for (const id of await listSocketSessions()) {
      if (isStopped || host.get(id)) continue;
      await host.open(id).catch((error: unknown) => {
        if (!reported.has(id)) onError(error);
        reported.add(id);
      });
    }
  };
  const run = (): Promise<void> =>
    joinAll()
      .catch(onError)
      .then(() => {
        if (isStopped) return;
        timer = setTimeout(() => {
          running = run();
        }, POLL_MS).unref();
      });
  let running = run();
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
