import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Folder of the built web page: beside the bundled command, or in its own package when running from source. */
export function pageFolder(): string {
  const bundled = fileURLToPath(new URL('./page', import.meta.url));
  return existsSync(bundled)
    ? bundled
    : fileURLToPath(new URL('../../web/dist/page', import.meta.url));
}
