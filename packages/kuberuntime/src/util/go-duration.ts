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

const units: Readonly<Record<string, Milliseconds>> = { ns: 1e-6, us: 1e-3, µs: 1e-3, ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Reads what Go prints, in milliseconds; undefined for what is no duration. Upstream: time.ParseDuration. */
export function parseGoDuration(text: string): Milliseconds | undefined {
  if (text === '0') return 0;
  if (!/^-?(?:\d+(?:\.\d+)?(?:ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ns|us|µs|ms|s|m|h)/g)) sum += Number(amount) * (units[unit ?? ''] ?? 0);
  return text.startsWith('-') ? -sum : sum;
}
