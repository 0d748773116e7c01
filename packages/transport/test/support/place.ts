import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createProjectSessionStore,
  InteractiveSession,
  type ResolvedConfig,
  SessionHost,
  type SessionHostOptions,
  type SessionRecordStore,
} from '@robota-sdk/agent-sdk';
import { afterEach, beforeEach } from 'vitest';
import { type EchoProvider, echoProvider } from './echo-provider.ts';

interface SessionExtras {
  readonly queueDepth?: number;
  readonly provider?: EchoProvider;
  readonly sessionStore?: SessionRecordStore;
  readonly config?: ResolvedConfig;
}

export const TOKEN = 'a-token-for-tests-that-is-long-enough';

/** A separate home for every test; everything opened in it is closed afterwards. */
export interface Place {
  readonly project: string;
  readonly home: string;
  readonly provider: EchoProvider;
  session(options?: SessionExtras): InteractiveSession;
  host(options?: Partial<SessionHostOptions>): SessionHost;
  /** Run after the test, last one first. */
  after(work: () => unknown): void;
}

export function usePlace(): Place {
  const cleanups: (() => unknown)[] = [];
  const before = process.env.HOME;
  const place = { project: '', home: '', provider: echoProvider() };
  beforeEach(() => {
    place.project = realpathSync(mkdtempSync(join(tmpdir(), 'robota-transport-')));
    place.home = realpathSync(mkdtempSync(join(tmpdir(), 'robota-transport-home-')));
    place.provider = echoProvider();
    process.env.HOME = place.home;
    delete process.env.ROBOTA_HOME;
  });
  afterEach(async () => {
    place.provider.release();
    for (const work of cleanups.splice(0).reverse()) await work();
    process.env.HOME = before;
    rmSync(place.project, { recursive: true, force: true });
    rmSync(place.home, { recursive: true, force: true });
  });
  return {
    get project() {
      return place.project;
    },
    get home() {
      return place.home;
    },
    get provider() {
      return place.provider;
    },
    session(options = {}) {
      const { provider = place.provider, ...rest } = options;
      const session = new InteractiveSession({ cwd: place.project, provider, bare: true, ...rest });
      cleanups.push(() => session.shutdown());
      return session;
    },
    host(options = {}) {
      const host = new SessionHost({
        ...options,
        defaults: {
          cwd: place.project,
          provider: place.provider,
          bare: true,
          queueDepth: 8,
          sessionStore: createProjectSessionStore(place.project),
        },
      });
      cleanups.push(() => host.closeAll());
      return host;
    },
    after: (work) => void cleanups.push(work),
  };
}
