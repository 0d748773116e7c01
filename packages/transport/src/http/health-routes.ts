import type { HttpApp } from './app.ts';

/**
 * For whoever watches the server: `/healthz` says that the process answers, `/readyz` whether it should be sent work.
 * They say nothing else, so they ask for no token.
 */
export function addHealthRoutes(app: HttpApp, isReady: () => boolean): void {
  app.get('/healthz', (context) => context.text('ok\n'));
  app.get('/readyz', (context) =>
    isReady() ? context.text('ready\n') : context.text('not ready\n', 503),
  );
}
