/** Turns Ctrl+C into an AbortSignal, for commands that have to clean up. */

/**
 * Returns a signal that aborts at the first SIGINT, SIGTERM or SIGHUP, or when stdout has no reader any more. A second
 * signal ends the process at once with exit code 130.
 * @returns the signal, and `end` which removes the listeners
 */
export function onInterrupt(): { readonly signal: AbortSignal; readonly end: () => void } {
  const controller = new AbortController();
  const interrupt = (): void => {
    if (controller.signal.aborted) process.exit(130);
    process.stderr.write('\nCleaning up. Press Ctrl+C again to leave everything as it is.\n');
    controller.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  const abort = (): void => controller.abort();
  for (const signal of signals) process.on(signal, interrupt);
  process.stdout.on('error', abort);
  return {
    signal: controller.signal,
    end: () => {
      for (const signal of signals) process.off(signal, interrupt);
      process.stdout.off('error', abort);
    },
  };
}
