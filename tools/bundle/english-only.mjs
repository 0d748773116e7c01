// zod brings its messages in forty languages; validation speaks one here.
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
