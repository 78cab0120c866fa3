/** Extracts the messages of structured log lines (JSON, logfmt), so that recognizers read them as plain text. */
import { isRecord } from '@podscope/base';

const text = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (isRecord(value)) return text(value['message'] ?? value['msg'] ?? value['reason'] ?? value['type']);
  return '';
};

/** The fields of a record that contain what happened, in the order in which they are joined. */
const messageFields = ['msg', 'message', 'event', 'log', 'error', 'err', 'cause', 'exception', 'reason'] as const;

function ofJson(line: string): string | undefined {
  const start = line.indexOf('{');
  if (start < 0 || !line.endsWith('}')) return undefined;
  let parsed: unknown;
  try {
    parsed = JSON.parse(line.slice(start));
  } catch {
    return undefined;
  }
  if (!isRecord(parsed)) return undefined;
  const record = parsed;
  const level = text(record['level'] ?? record['severity'] ?? record['lvl']).toUpperCase();
  const parts = [...new Set(messageFields.map((name) => text(record[name]).trim()).filter((each) => each !== ''))];
  if (parts.length === 0) return undefined;
  const said = parts.filter((each, index) => !parts.some((other, at) => at !== index && other.includes(each)));
  const isSevere = /^(?:ERROR|FATAL|CRITICAL|PANIC|EMERGENCY|WARN(?:ING)?)$/.test(level);
  // Words before the record belong to the message; a date, a level or the name of a pod doesn't.
  const before = line.slice(0, start).trim();
  const isMessage = !before.startsWith('[') && (before.match(/[A-Za-z]{3,}/g)?.length ?? 0) >= 3;
  return `${isSevere ? `${level}: ` : ''}${isMessage ? `${before} ` : ''}${said.join(': ')}`;
}

/** Matches the date of nginx and Go, which looks like a path: `2026/11/23 08:00:00`. */
const slashedDate = /(?<![\w/])\d{4}\/\d{2}\/\d{2}[ T]\d{2}:\d{2}:\d{2}(?:[.,]\d+)? ?/g;

/** Returns the text without dates that look like paths. */
export const withoutDates = (log: string): string => log.replaceAll(slashedDate, '');

/** Returns the text with each JSON line replaced by its message and error. Other lines stay as they are. */
export const plainLines = (log: string): string =>
  log
    .split('\n')
    .map((line) => ofJson(line.trim()) ?? line)
    .join('\n');
