/** The zod bundled with the tools, so that packages that load them need no second copy. */
export { z } from 'zod';
