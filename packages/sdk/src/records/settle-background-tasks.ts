const FINAL = new Set(['completed', 'failed', 'cancelled']);

/** A task that was running when its process ended cannot be resumed, so it is marked as failed. */
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
