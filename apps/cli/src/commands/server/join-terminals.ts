import type { LiveSession, SessionHost } from '@robota-sdk/agent-sdk';
import { joinSocketSession, listSocketSessions } from '@robota-sdk/agent-transport/run';

const LOOK_MS = 1_000;

/** Joins a session that a terminal holds; it is let go of when the terminal has ended. */
export async function joinTerminal(
  id: string,
  letGo: () => Promise<void>,
): Promise<LiveSession | undefined> {
  const session = await joinSocketSession(id, { surface: `server:${process.pid}` });
  session?.on('connection', ({ state }) => {
    if (state === 'open') return;
    // A line that broke is taken up again; one whose terminal has ended leads nowhere.
    void listSocketSessions().then((held) => (held.includes(id) ? undefined : letGo()));
  });
  return session;
}

/** Sessions that terminals of this user hold are listed and asked here too, from the moment they begin. */
export function joinTerminals(
  host: Pick<SessionHost, 'get' | 'open'>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  /** Told once; they are tried again when somebody asks for them. */
  const failed = new Set<string>();
  let isStopped = false;
  let timer: NodeJS.Timeout | undefined;
  const look = async (): Promise<void> => {
    for (const id of await listSocketSessions()) {
      if (isStopped || failed.has(id) || host.get(id)) continue;
      await host.open(id).catch((error: unknown) => {
        failed.add(id);
        onError(error);
      });
    }
  };
  const run = (): Promise<void> =>
    look()
      .catch(onError)
      .then(() => {
        if (isStopped) return;
        timer = setTimeout(() => {
          running = run();
        }, LOOK_MS).unref();
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
