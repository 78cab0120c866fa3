/** Formats times, durations and sizes as text. */

const pad = (value: number, digits = 2): string => String(Math.floor(value)).padStart(digits, '0');

/** Formats a duration for people: `0.42 ms`, `12 ms`, `1.24 s`, `42 s`, `1m 20s`, `2h 05m`, `3d 04h`. */
export function formatDuration(ms: number): string {
  if (ms < 0) return `−${formatDuration(-ms)}`;
  if (ms < 0.001) return '0 ms';
  if (ms < 1) return `${(ms * 1000).toFixed(0)} µs`;
  if (ms < 10) return `${trim(ms.toFixed(1))} ms`;
  if (ms < 999.5) return `${ms.toFixed(0)} ms`;
  if (ms < 9995) return `${trim((ms / 1000).toFixed(2))} s`;
  if (ms < 59_950) return `${trim((ms / 1000).toFixed(1))} s`;
  const seconds = Math.round(ms / 1000);
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  if (seconds < 86_400) return `${Math.floor(seconds / 3600)}h ${pad((seconds % 3600) / 60)}m`;
  return `${Math.floor(seconds / 86_400)}d ${pad((seconds % 86_400) / 3600)}h`;
}

/** Formats a duration with all its digits, for measuring: `1m 20.350 s`, `12.003 ms`. */
export function formatExact(ms: number): string {
  if (ms < 1000) return `${ms.toFixed(3)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(3)} s`;
  const minutes = Math.floor(ms / 60_000);
  const rest = `${((ms - minutes * 60_000) / 1000).toFixed(3).padStart(6, '0')} s`;
  return minutes < 60 ? `${minutes}m ${rest}` : `${Math.floor(minutes / 60)}h ${pad(minutes % 60)}m ${rest}`;
}

/** Formats a size: `812 B`, `45 kB`, `3.1 MB`, `1.24 GB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  const [value, unit] = bytes < 1e6 ? [bytes / 1e3, 'kB'] : bytes < 1e9 ? [bytes / 1e6, 'MB'] : [bytes / 1e9, 'GB'];
  return `${value < 10 ? trim(value.toFixed(1)) : Math.round(value)} ${unit}`;
}

/** Formats a delay in whole seconds: `10s`, `1m 20s`, `5m`. */
export const formatSeconds = (length: number): string => {
  // A debugger can set a wait to a fraction of a second.
  const seconds = length < 1 ? Math.round(length * 1000) / 1000 : Math.round(length * 10) / 10;
  return seconds < 60 ? `${seconds}s` : `${Math.floor(seconds / 60)}m${seconds % 60 ? ` ${seconds % 60}s` : ''}`;
};

/** Formats the remaining time, rounded up as clocks do: 23.4 s becomes `24 s`. */
export const formatCountdown = (ms: number): string => {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
};

const trim = (text: string): string => text.replace(/\.?0+$/, '');

/** The time zone in which clock times are formatted. */
export type TimeZoneName = 'local' | 'utc';

/**
 * Formats a clock time such as `09:03:20`, with as many fractional digits as `step` (in milliseconds) needs. With long
 * steps, midnight is formatted as the date.
 */
export function formatClock(time: number, step: number, zone: TimeZoneName): string {
  const date = new Date(Math.floor(time));
  const [hours, minutes, seconds, day, month] =
    zone === 'utc'
      ? [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds(), date.getUTCDate(), date.getUTCMonth()]
      : [date.getHours(), date.getMinutes(), date.getSeconds(), date.getDate(), date.getMonth()];
  if (step >= 86_400_000 || (step >= 3_600_000 && hours === 0 && minutes === 0)) return `${pad(month + 1)}-${pad(day)}`;
  const whole = `${pad(hours)}:${pad(minutes)}:${pad(seconds)}`;
  if (step >= 60_000) return whole.slice(0, 5);
  if (step >= 1000) return whole;
  const fraction = time - Math.floor(time / 1000) * 1000;
  return `${whole}${fractionText(fraction, step)}`;
}

const fractionText = (ms: number, step: number): string => {
  const digits = step >= 100 ? 1 : step >= 10 ? 2 : step >= 1 ? 3 : step >= 0.1 ? 4 : step >= 0.01 ? 5 : 6;
  // The digits are rounded down, as in the page's clock, so that both show the same time. A double has no digits beyond
  // a quarter of a µs.
  return `.${String(Math.floor((ms + 0.0005) * 10 ** (digits - 3)))
    .padStart(digits, '0')
    .slice(0, digits)}`;
};

/** Formats an axis label relative to the origin: `0`, `20 s`, `1m 20s`, `3.25 s`. */
export function formatRelative(ms: number, step: number): string {
  if (ms === 0) return '0';
  if (ms < 0) return `−${formatRelative(-ms, step)}`;
  if (step < 1000) {
    if (ms < 1000) return step >= 1 ? `${Math.round(ms)} ms` : `${trim((Math.round(ms * 1000) / 1000).toFixed(3))} ms`;
    const digits = step >= 100 ? 1 : step >= 10 ? 2 : step >= 1 ? 3 : step >= 0.1 ? 4 : 5;
    const minutes = Math.floor(ms / 60_000);
    const seconds = `${((ms - minutes * 60_000) / 1000).toFixed(digits)} s`;
    return minutes === 0 ? seconds : `${minutes}m ${seconds}`;
  }
  const seconds = Math.round(ms / 1000);
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600)
    return seconds % 60 === 0 && step >= 60_000
      ? `${seconds / 60} min`
      : `${Math.floor(seconds / 60)}m ${pad(seconds % 60)}s`;
  return `${Math.floor(seconds / 3600)}h ${pad((seconds % 3600) / 60)}m`;
}
