/** Parses options, durations and sizes for the simulated programs, and reads their files. */
import { parseGoDuration } from '@podscope/base';
import { FileError, resolvePath } from '../machine/file-system.ts';
import type { Process } from '../machine/process.ts';
import { readAll } from '../machine/streams.ts';

/** Writes an error line to stderr and returns the exit code. */
export function fail(process: Process, text: string, code = 1): number {
  process.stderr.write(`${process.name}: ${text}\n`);
  return code;
}

/**
 * Parses a command line into options and operands.
 * @param withValue the letters of the options that have a value
 */
export function parseOptions(
  args: readonly string[],
  withValue = '',
): {
  readonly flags: ReadonlySet<string>;
  readonly values: ReadonlyMap<string, string>;
  readonly operands: readonly string[];
} {
  const flags = new Set<string>();
  const values = new Map<string, string>();
  const operands: string[] = [];
  const rest = [...args];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      operands.push(...rest);
      break;
    }
    if (arg.startsWith('--')) {
      const [name = '', value] = arg.slice(2).split('=');
      flags.add(name);
      if (value !== undefined) values.set(name, value);
    } else if (/^-./.test(arg)) {
      for (let at = 1; at < arg.length; at++) {
        const letter = arg.charAt(at);
        if (!withValue.includes(letter)) {
          flags.add(letter);
          continue;
        }
        values.set(letter, arg.slice(at + 1) || (rest.shift() ?? ''));
        break;
      }
    } else operands.push(arg);
  }
  return { flags, values, operands };
}

/** Returns the absolute form of `path`, resolved with the working directory and the `/proc/self` of the process. */
export const pathOf = (process: Process, path: string): string =>
  resolvePath(process.cwd, path).replace(/^\/proc\/self(?=\/|$)/, `/proc/${process.pid}`);

/**
 * Returns the content of all files in `operands`; without operands, the standard input. Files that can't be read are
 * reported on stderr.
 */
export async function readOperands(
  process: Process,
  operands: readonly string[],
): Promise<{ readonly text: string; readonly status: number }> {
  if (operands.length === 0) return { text: await process.until(readAll(process.stdin)), status: 0 };
  let text = '';
  let status = 0;
  for (const operand of operands) {
    try {
      text +=
        operand === '-'
          ? await process.until(readAll(process.stdin))
          : await process.machine.files.read(pathOf(process, operand));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      status = fail(process, `can't open '${operand}': ${error.message}`);
    }
  }
  return { text, status };
}

/** Splits a text into lines. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Parses a duration like `5`, `0.5`, `10s`, `250ms`, `1h30m`, `1d` or `infinity` into milliseconds; returns undefined
 * for other texts. As in coreutils, a number without a unit means seconds and `d` means days. The other units are those
 * of Go.
 */
export function parseDuration(text: string): number | undefined {
  if (/^inf(inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^(?:\d+(?:\.\d+)?|\.\d+)$/.test(text)) return Number(text) * 1000;
  const [, days, rest = ''] = /^(?:(\d+(?:\.\d+)?)d)?(.*)$/s.exec(text) ?? [];
  const duration = days !== undefined && rest === '' ? 0 : parseGoDuration(rest);
  return duration === undefined || duration < 0 || /^[-+]/.test(rest)
    ? undefined
    : Number(days ?? 0) * 86_400_000 + duration;
}

const sizes: Readonly<Record<string, number>> = {
  '': 1,
  c: 1,
  b: 512,
  k: 1024,
  m: 1024 ** 2,
  g: 1024 ** 3,
  t: 1024 ** 4,
};

/** Parses a size like `512`, `64M`, `64Mi`, `1G` or `250MB` into bytes; returns undefined for other texts. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([a-zA-Z]?)(?:i?[bB]?)$/.exec(text);
  const unit = sizes[(match?.[2] ?? '').toLowerCase()];
  return match?.[1] === undefined || unit === undefined ? undefined : Math.floor(Number(match[1]) * unit);
}
