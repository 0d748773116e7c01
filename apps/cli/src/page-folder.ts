import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the built page lies: beside the bundled command, or in its own package when this runs from source. */
export function pageFolder(): string {
  const bundled = fileURLToPath(new URL('./page', import.meta.url));
  return existsSync(bundled)
    ? bundled
    : fileURLToPath(new URL('../../web/dist/page', import.meta.url));
}
