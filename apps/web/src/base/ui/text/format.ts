/** Formats ages, countdowns, times of day and counts. The timeline's `formatDuration` formats durations. */

const pad = (value: number, width = 2): string => String(Math.trunc(value)).padStart(width, '0');

/** Formats an age like kubectl: `8s`, `3m12s`, `45m`, `5h10m`, `3d`. Upstream: duration.HumanDuration. */
export function formatAge(ms: number): string {
  const seconds = Math.floor(Math.max(0, ms) / 1000);
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return seconds % 60 === 0 ? `${minutes}m` : `${minutes}m${seconds % 60}s`;
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return minutes % 60 === 0 ? `${hours}h` : `${hours}h${minutes % 60}m`;
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (days < 8) return hours % 24 === 0 ? `${days}d` : `${days}d${hours % 24}h`;
  return days < 730 ? `${days}d` : `${Math.floor(days / 365)}y`;
}

/** Formats the remaining time of a countdown: `0:07`, `4:59`. */
export function formatCountdown(ms: number): string {
  const seconds = Math.ceil(Math.max(0, ms) / 1000);
  return `${Math.floor(seconds / 60)}:${pad(seconds % 60)}`;
}

/** Formats the time of day in the browser's zone, with milliseconds: `14:03:07.250`. */
export function formatClock(ms: number, fraction = true): string {
  const date = new Date(ms);
  const time = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
  return fraction ? `${time}.${pad(date.getMilliseconds(), 3)}` : time;
}

/** Formats a count with its noun: `1 event`, `12,034 events`. */
export const formatCount = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
