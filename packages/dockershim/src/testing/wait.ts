/** Waits for conditions on a real engine. */
const timeoutMs = 60_000;
const pollMs = 50;

/**
 * Waits until a condition is true.
 * @throws Error that names `what` if that takes longer than a minute
 */
export async function waitUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${timeoutMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
