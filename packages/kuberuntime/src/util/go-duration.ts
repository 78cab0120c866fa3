/** Durations as Go prints them: `1m20s`, `5m0s`, `300ms`. */
import type { Milliseconds } from '@podscope/trace';

/** Formats a length of time to the microsecond. Upstream: time.Duration.String. */
export function formatGoDuration(duration: Milliseconds): string {
  const micros = Math.round(Math.abs(duration) * 1000);
  if (micros === 0) return '0s';
  const sign = duration < 0 ? '-' : '';
  if (micros < 1000) return `${sign}${micros}µs`;
  if (micros < 1_000_000) return `${sign}${micros / 1000}ms`;
  const hours = Math.floor(micros / 3_600_000_000);
  const minutes = Math.floor(micros / 60_000_000) % 60;
  const seconds = (micros % 60_000_000) / 1_000_000;
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`;
}
