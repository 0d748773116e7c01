const FINAL = new Set(['completed', 'failed', 'cancelled']);

/** Work that ran when its process ended cannot be taken up again: it failed, and says why. */
export function settleBackgroundTasks(tasks: readonly unknown[]): unknown[] {
  return tasks.map((task) => {
    if (typeof task !== 'object' || task === null) return task;
    const { status } = task as { readonly status?: unknown };
    if (typeof status !== 'string' || FINAL.has(status)) return task;
    return {
      ...task,
      status: 'failed',
      timeoutReason: 'stale_worker',
      error: 'The process that ran this task has ended; the task cannot be reattached.',
    };
  });
}
