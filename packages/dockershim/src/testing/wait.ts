/** Waits for conditions on a real engine. */
const patienceMs = 60_000;
const pollMs = 50;

/** Waits for a condition. @throws Error naming `what` if it doesn't hold within a minute */
export async function waitUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${patienceMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
