/** What the simulated programs share: options, files, durations. */
import { FileError, resolvePath } from '../machine/file-system.ts';
import type { Process } from '../machine/process.ts';
import { readAll } from '../machine/streams.ts';

/** Writes a line of complaint and answers the exit code for it. */
export function fail(process: Process, text: string, code = 1): number {
  process.stderr.write(`${process.name}: ${text}\n`);
  return code;
}

/** Options and operands of a command line. `withValue` lists the letters that take a value. */
export function parseOptions(
  args: readonly string[],
  withValue = '',
): { readonly flags: ReadonlySet<string>; readonly values: ReadonlyMap<string, string>; readonly operands: readonly string[] } {
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

/** `path` as the process sees it. */
export const pathOf = (process: Process, path: string): string => resolvePath(process.cwd, path).replace(/^\/proc\/self(?=\/|$)/, `/proc/${process.pid}`);

/** Reads each named file, or standard input when none is named. What can't be read is complained of. */
export async function readOperands(process: Process, operands: readonly string[]): Promise<{ readonly text: string; readonly status: number }> {
  if (operands.length === 0) return { text: await process.until(readAll(process.stdin)), status: 0 };
  let text = '';
  let status = 0;
  for (const operand of operands) {
    try {
      text += operand === '-' ? await process.until(readAll(process.stdin)) : await process.machine.files.read(pathOf(process, operand));
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      status = fail(process, `can't open '${operand}': ${error.message}`);
    }
  }
  return { text, status };
}

/** Lines of a text, without their ends. */
export function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

const units: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Reads `5`, `0.5`, `10s`, `250ms`, `1h30m`, `infinity` as milliseconds (a bare number counts seconds); undefined when it is none. */
export function parseDuration(text: string): number | undefined {
  if (/^inf(inity)?$/i.test(text)) return Number.POSITIVE_INFINITY;
  if (/^\d+(\.\d+)?$|^\.\d+$/.test(text)) return Number(text) * 1000;
  if (!/^(\d+(\.\d+)?(ms|s|m|h|d))+$/.test(text)) return undefined;
  let sum = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h|d)/g)) sum += Number(amount) * (units[unit ?? ''] ?? 0);
  return sum;
}

const sizes: Readonly<Record<string, number>> = { '': 1, c: 1, b: 512, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 };

/** Reads `512`, `64M`, `64Mi`, `1G`, `250MB` as bytes; undefined when it is none. */
export function parseSize(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)([a-zA-Z]?)(?:i?[bB]?)$/.exec(text);
  const unit = sizes[(match?.[2] ?? '').toLowerCase()];
  return match?.[1] === undefined || unit === undefined ? undefined : Math.floor(Number(match[1]) * unit);
}
