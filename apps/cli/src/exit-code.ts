/** Exit codes of the process. */
export const EXIT = { done: 0, failed: 1, usage: 2, interrupted: 130 } as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];
