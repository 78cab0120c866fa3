/** Ctrl+C in commands that have something to clean up. */

/** Aborts at the first Ctrl+C, or when nobody reads any more, so that pods are cleaned up; a second Ctrl+C ends the process at once. */
export function onInterrupt(): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write('\nCleaning up; once more leaves everything as it is.\n');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const unread = (): void => controller.abort();
  for (const signal of signals) process.on(signal, interrupt);
  process.stdout.on('error', unread);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of signals) process.off(signal, interrupt);
      process.stdout.off('error', unread);
    },
  };
}
