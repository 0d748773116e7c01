import { onTestFinished } from 'vitest';
import { createPlace, type Place } from '../../../cli/test/support/run-robota.ts';
import type { Served } from '../../../cli/test/support/served.ts';
import type { PageServer } from './browser.ts';

/** A temporary home, removed after the test. */
export function place(): Place {
  const made = createPlace();
  onTestFinished(() => made[Symbol.dispose]());
  return made;
}

/** The server with links from `POST /api/links`, as browsers open it. */
export function pageServer({ url, json }: Served): PageServer {
  return {
    url,
    newCode: async () => (await json<{ code: string }>('POST', '/api/links')).code,
  };
}
