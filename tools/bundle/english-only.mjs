// zod ships messages in forty languages; only English is bundled.
import { join } from 'node:path';

/** A plugin for esbuild. */
export const englishOnly = {
  name: 'english-only',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/locales\/index\.js$/ }, () => ({
      path: join(import.meta.dirname, 'zod-locales.mjs'),
      sideEffects: false,
    }));
  },
};
