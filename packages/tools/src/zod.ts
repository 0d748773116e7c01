/** The zod that is bundled with the tools: packages that load these use it, too, instead of one of their own. */
export { z } from 'zod';
