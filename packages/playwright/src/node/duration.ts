/** Reads durations of virtual time, as Go writes them. */

/** A number of milliseconds, or a text such as `250ms`, `90s`, `1m30s`, `2h`. */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h'}` | `${number}${'h' | 'm'}${number}${'m' | 's'}`;

const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };

/** Returns the milliseconds of a duration. @throws TypeError that shows how a duration is written */
export function millisecondsOf(duration: Duration): number {
  const parts = typeof duration === 'string' ? [...duration.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)] : [];
  const milliseconds =
    typeof duration === 'number'
      ? duration
      : parts.reduce((sum, [, amount, unit = '']) => sum + Number(amount) * (units[unit] ?? 0), 0);
  const isWhole = typeof duration === 'number' || parts.map(([part]) => part).join('') === duration;
  if (!isWhole || !(milliseconds > 0) || !Number.isFinite(milliseconds))
    throw new TypeError(
      `${JSON.stringify(duration)} is not a duration: use milliseconds, or text such as '250ms', '90s' or '1m30s'`,
    );
  return milliseconds;
}

/** Formats milliseconds in the notation that `millisecondsOf` parses: `1m30s`, `2.5s`. */
export function formatDuration(milliseconds: number): string {
  const hours = Math.floor(milliseconds / 3_600_000);
  const minutes = Math.floor(milliseconds / 60_000) % 60;
  const seconds = (milliseconds % 60_000) / 1_000;
  const parts = [
    ...(hours > 0 ? [`${hours}h`] : []),
    ...(minutes > 0 ? [`${minutes}m`] : []),
    ...(seconds > 0 ? [`${Number(seconds.toFixed(3))}s`] : []),
  ];
  return parts.join('') || '0s';
}
