/** Computes the delay before the next attempt to connect. */

const firstDelay = 500;
const longestDelay = 15_000;

/**
 * Returns the delay before attempt number `attempt` (from 1), in milliseconds: doubles from half a second to fifteen.
 * A random spread of a quarter keeps many tabs from connecting at the same instant.
 * @param random 0…1
 */
export function retryDelay(attempt: number, random: number): number {
  const base = Math.min(longestDelay, firstDelay * 2 ** Math.min(attempt - 1, 10));
  return Math.round(base * (0.75 + random / 2));
}
