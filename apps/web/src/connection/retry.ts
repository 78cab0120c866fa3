/** How long to wait before the next attempt to connect. */

const firstDelay = 500;
const longestDelay = 15_000;

/**
 * Milliseconds before attempt number `attempt` (from 1): doubles from half a second to fifteen, each spread by a quarter either way so
 * that twenty tabs do not knock at the same instant.
 * @param random 0…1
 */
export function retryDelay(attempt: number, random: number): number {
  const base = Math.min(longestDelay, firstDelay * 2 ** Math.min(attempt - 1, 10));
  return Math.round(base * (0.75 + random / 2));
}
