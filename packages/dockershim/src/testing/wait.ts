/** Waiting on a real engine: for a condition, never for a time. */
const patienceMs = 60_000;
const pollMs = 50;

/** @throws Error naming `what` when the condition does not hold within a minute. */
export async function waitUntil(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = performance.now() + patienceMs;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${patienceMs / 1000} s for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}
