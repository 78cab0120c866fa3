/** Formats ages for kubectl's tables. Upstream: duration.HumanDuration (apimachinery, v1.36). */
import { type Instant, parseTime } from '@podscope/trace';

const counted = (value: number, unit: string, rest: number, restUnit: string): string =>
  rest === 0 ? `${value}${unit}` : `${value}${unit}${rest}${restUnit}`;

/** Formats a duration like `3m12s`, `5h` or `2d3h`. Upstream: duration.HumanDuration. @param ms milliseconds */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const minutes = Math.trunc(seconds / 60);
  if (minutes < 10) return counted(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.trunc(minutes / 60);
  if (hours < 8) return counted(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.trunc(hours / 24);
  if (days < 8) return counted(days, 'd', hours % 24, 'h');
  if (days < 730) return `${days}d`;
  const years = Math.trunc(days / 365);
  return years < 8 ? counted(years, 'y', days % 365, 'd') : `${years}y`;
}

/** Formats the time since an API timestamp, or `<unknown>` without one. Upstream: translateTimestampSince. */
export const translateTimestampSince = (time: string | null | undefined, now: Instant): string =>
  time ? humanDuration(now - parseTime(time)) : '<unknown>';
