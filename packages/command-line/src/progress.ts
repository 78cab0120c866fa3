/** Shows on a terminal's standard error that a command is still working, if the command takes longer than a second. */

const shownAfter = 1_000;
const period = 200;
const frames = ['⠋', '⠙', '⠸', '⠴', '⠦', '⠇'] as const;
const clearLine = '\r\u001b[K';

/**
 * Runs `work`. If it takes longer than a second, prints a line with `what` and the elapsed time, which disappears when
 * `work` ends. Prints nothing if the output isn't a terminal.
 */
export async function working<T>(
  what: string,
  work: () => Promise<T>,
  out: NodeJS.WriteStream = process.stderr,
): Promise<T> {
  if (!out.isTTY || process.env['CI']) return work();
  const start = performance.now();
  let shown = 0;
  const timer = setInterval(() => {
    const elapsed = performance.now() - start;
    if (elapsed < shownAfter) return;
    out.write(`${clearLine}${frames[shown++ % frames.length]} ${what}… ${Math.round(elapsed / 1_000)} s`);
  }, period);
  timer.unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
    if (shown > 0) out.write(clearLine);
  }
}
