// The one language in which validation speaks here; the package would bring forty.
export { default as en } from '../../node_modules/zod/v4/locales/en.js';
