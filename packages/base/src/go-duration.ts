/** Parses and formats durations such as `1m20s`. Upstream: Go's time.ParseDuration and time.Duration.String. */

/** Milliseconds per unit. Go accepts both characters for micro: U+00B5 and U+03BC. */
const units: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
};

const part = String.raw`(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h)`;

/** Source of a regular expression for a whole duration that isn't negative, for a `pattern` attribute or a schema. */
export const goDurationPattern = `(?:${part})+|0`;

const durationPattern = new RegExp(`^[-+]?(?:${goDurationPattern})$`);
const partPattern = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/**
 * Returns the milliseconds that a Go duration stands for (`1m30s`, `1.5s`, `250ms`, `-2h`, `0`), or undefined for any
 * other text: a number without a unit, blanks, and units that Go doesn't have, such as `d`.
 */
export function parseGoDuration(text: string): number | undefined {
  if (!durationPattern.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit = ''] of text.matchAll(partPattern)) sum += Number(amount) * (units[unit] ?? 0);
  return text.startsWith('-') && sum > 0 ? -sum : sum;
}

/** Formats milliseconds as Go does, rounded to the microsecond: `0s`, `300ms`, `1m20s`, `5m0s`, `1h0m0s`. */
export function formatGoDuration(duration: number): string {
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
