/** Resolves at the first SIGINT, SIGTERM or SIGHUP; a second one exits at once. */
export function untilSignal(): Promise<void> {
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  return new Promise((resolve) => {
    for (const signal of signals) {
      process.once(signal, () => {
        process.once(signal, () => process.exit(130));
        resolve();
      });
    }
  });
}
