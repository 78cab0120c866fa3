/** Waits for conditions on a real engine. */
const pollMs = 50;

/**
 * Waits until a condition is true.
 * @throws Error that names `what` after `timeoutMs`
 */
export async function waitUntil(
  condition: () => boolean | Promise<boolean>,
  what: string,
  timeoutMs = 120_000,
): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
