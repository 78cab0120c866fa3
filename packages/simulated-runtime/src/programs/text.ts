/** Simulates programs that print, cut and search text. */
import type { Process, Program } from '../machine/process.ts';
import { readLines } from '../machine/streams.ts';
import { fail, linesOf, parseOptions, parseSize, pathOf, readOperands } from './support.ts';

const write = (process: Process, lines: readonly string[]): void => {
  if (lines.length > 0) process.stdout.write(`${lines.join('\n')}\n`);
};

/** How fast a program fills memory from an endless source, in bytes per millisecond. */
const fillSpeed = 256 * 1024;

/** Allocates memory until the process is OOM-killed. */
async function fillMemory(process: Process): Promise<number> {
  process.cpu = 1;
  for (;;) {
    await process.sleep(50);
    if (!process.machine.allocate(process, process.memory + 50 * fillSpeed)) return 137;
  }
}

const isEndless = (path: string | undefined): boolean =>
  path === '/dev/zero' || path === '/dev/urandom' || path === '/dev/random';

const head: Program = async (process) => {
  const { values, operands } = parseOptions(
    process.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1')),
    'nc',
  );
  if (values.has('c')) {
    const bytes = parseSize(values.get('c') ?? '') ?? 0;
    if (!isEndless(operands[0])) {
      const { text, status } = await readOperands(process, operands);
      process.stdout.write(text.slice(0, bytes));
      return status;
    }
    for (let left = bytes; left > 0; left -= 1 << 20) {
      process.stdout.write('\0'.repeat(Math.min(left, 1 << 20)));
      if (left > 1 << 20) await process.sleep(4);
    }
    return 0;
  }
  const limit = Number(values.get('n') ?? 10);
  if (operands.length > 0) {
    const { text, status } = await readOperands(process, operands);
    write(process, linesOf(text).slice(0, limit));
    return status;
  }
  let seen = 0;
  const lines = readLines({ read: () => process.until(process.stdin.read()) });
  while (seen < limit) {
    const line = await lines.next();
    if (line.done) break;
    process.stdout.write(`${line.value}\n`);
    seen++;
  }
  return 0;
};

/** Prints the text that is appended to a file, once per second, as busybox does. */
async function follow(process: Process, path: string, from: number): Promise<number> {
  let at = from;
  for (;;) {
    await process.sleep(1000);
    const text = (await process.machine.files.tryRead(path)) ?? '';
    if (text.length < at) at = 0;
    process.stdout.write(text.slice(at));
    at = text.length;
  }
}

const tail: Program = async (process) => {
  const { flags, values, operands } = parseOptions(
    process.args.map((arg) => arg.replace(/^-(\d+)$/, '-n$1')),
    'nc',
  );
  const [path] = operands;
  const following = flags.has('f') || flags.has('F');
  if (isEndless(path)) return fillMemory(process);
  if (path === '/dev/null' && following) return process.forever();
  let text = '';
  if (path === undefined) {
    for (
      let piece = await process.until(process.stdin.read());
      piece !== undefined;
      piece = await process.until(process.stdin.read())
    ) {
      text += piece;
      if (!process.machine.allocate(process, 512 * 1024 + text.length)) return 137;
    }
  } else {
    const found = await readOperands(process, operands);
    if (found.status !== 0 && !following) return found.status;
    text = found.text;
  }
  if (values.has('c')) process.stdout.write(text.slice(-(parseSize(values.get('c') ?? '') ?? 0)));
  else {
    const limit = values.get('n') ?? '10';
    const lines = linesOf(text);
    write(
      process,
      limit.startsWith('+') ? lines.slice(Number(limit) - 1) : limit === '0' ? [] : lines.slice(-Number(limit)),
    );
  }
  return following && path !== undefined ? follow(process, pathOf(process, path), text.length) : 0;
};

const wc: Program = async (process) => {
  const { flags, operands } = parseOptions(process.args);
  const { text, status } = await readOperands(process, operands);
  const counts = { l: text.split('\n').length - 1, w: text.split(/\s+/).filter(Boolean).length, c: text.length };
  const shown = (['l', 'w', 'c'] as const).filter((kind) => flags.size === 0 || flags.has(kind));
  process.stdout.write(`${shown.map((kind) => counts[kind]).join(' ')}${operands[0] ? ` ${operands[0]}` : ''}\n`);
  return status;
};

const grep: Program = async (process) => {
  const { flags, values, operands } = parseOptions(process.args, 'em');
  const pattern = values.get('e');
  const [first = '', ...files] = pattern === undefined ? operands : [pattern, ...operands];
  const source = flags.has('F') ? first.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`) : first;
  const expression = new RegExp(flags.has('x') ? `^(?:${source})$` : source, flags.has('i') ? 'i' : '');
  const { text, status } = await readOperands(process, files);
  const found = linesOf(text).filter((line) => expression.test(line) !== flags.has('v'));
  if (flags.has('c')) process.stdout.write(`${found.length}\n`);
  else if (!flags.has('q'))
    write(process, flags.has('o') ? found.map((line) => expression.exec(line)?.[0] ?? '') : found);
  if (status !== 0) return 2;
  return found.length > 0 ? 0 : 1;
};

const sort: Program = async (process) => {
  const { flags, operands } = parseOptions(process.args, 'kt');
  const { text, status } = await readOperands(process, operands);
  const lines = linesOf(text).toSorted((a, b) =>
    flags.has('n') ? Number.parseFloat(a) - Number.parseFloat(b) || 0 : a < b ? -1 : Number(a > b),
  );
  if (flags.has('r')) lines.reverse();
  write(process, flags.has('u') ? [...new Set(lines)] : lines);
  return status;
};

const uniq: Program = async (process) => {
  const { text, status } = await readOperands(process, parseOptions(process.args).operands);
  write(
    process,
    linesOf(text).filter((line, index, lines) => line !== lines[index - 1]),
  );
  return status;
};

const cut: Program = async (process) => {
  const { values, operands } = parseOptions(process.args, 'dfc');
  const { text, status } = await readOperands(process, operands);
  const list = values.get('f') ?? values.get('c') ?? '1';
  const wanted = (index: number): boolean =>
    list.split(',').some((range) => {
      const [from, to] = range.includes('-') ? range.split('-') : [range, range];
      return index + 1 >= Number(from || 1) && index + 1 <= Number(to || Number.POSITIVE_INFINITY);
    });
  const delimiter = values.has('c') ? '' : (values.get('d') ?? '\t');
  write(
    process,
    linesOf(text).map((line) =>
      line.includes(delimiter)
        ? line
            .split(delimiter)
            .filter((_, index) => wanted(index))
            .join(delimiter)
        : line,
    ),
  );
  return status;
};

/** Expands a set in the syntax of `tr`, which has ranges, classes and octal escapes. */
function characters(set: string): string[] {
  const classes: Readonly<Record<string, string>> = {
    upper: 'A-Z',
    lower: 'a-z',
    digit: '0-9',
    alpha: 'A-Za-z',
    alnum: 'A-Za-z0-9',
    space: ' \t\n\r',
  };
  const plain = set
    .replaceAll(/\[:(\w+):\]/g, (_, name: string) => classes[name] ?? '')
    .replaceAll(/\\([0-7]{1,3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
    .replaceAll(String.raw`\n`, '\n')
    .replaceAll(String.raw`\t`, '\t');
  const spread = plain.replaceAll(/(.)-(.)/gs, (_, from: string, to: string) => {
    const [low, high] = [from.charCodeAt(0), to.charCodeAt(0)];
    return Array.from({ length: Math.max(0, high - low + 1) }, (__, index) => String.fromCharCode(low + index)).join(
      '',
    );
  });
  return spread.split('');
}

const tr: Program = async (process) => {
  const { flags, operands } = parseOptions(process.args);
  const [from, to] = [characters(operands[0] ?? ''), characters(operands[1] ?? '')];
  const { text } = await readOperands(process, []);
  const map = new Map(from.map((char, index) => [char, flags.has('d') ? '' : (to[index] ?? to.at(-1) ?? '')]));
  process.stdout.write(
    text
      .split('')
      .map((char) => map.get(char) ?? char)
      .join(''),
  );
  return 0;
};

const sed: Program = async (process) => {
  const { flags, values, operands } = parseOptions(process.args, 'e');
  const given = values.get('e');
  const [script = '', ...files] = given === undefined ? operands : [given, ...operands];
  const match = /^s(.)(.*?)\1(.*?)\1([gi]*)$/.exec(script);
  if (!match) return fail(process, `only s/pattern/replacement/ is simulated, not ${JSON.stringify(script)}`);
  const expression = new RegExp(match[2] ?? '', match[4] ?? '');
  const { text, status } = await readOperands(process, files);
  const result = linesOf(text).map((line) => line.replace(expression, (match[3] ?? '').replaceAll('&', '$$&')));
  if (flags.has('i'))
    for (const file of files) await process.machine.files.write(pathOf(process, file), `${result.join('\n')}\n`);
  else write(process, result);
  return status;
};

const tee: Program = async (process) => {
  const { flags, operands } = parseOptions(process.args);
  for (
    let piece = await process.until(process.stdin.read()), first = true;
    piece !== undefined;
    piece = await process.until(process.stdin.read()), first = false
  ) {
    process.stdout.write(piece);
    for (const operand of operands)
      await process.machine.files.write(pathOf(process, operand), piece, flags.has('a') || !first);
  }
  return 0;
};

const seq: Program = (process) => {
  const numbers = process.args.map(Number);
  const [from, step, to] =
    numbers.length === 1 ? [1, 1, numbers[0]] : numbers.length === 2 ? [numbers[0], 1, numbers[1]] : numbers;
  if (from === undefined || !step || to === undefined || numbers.some(Number.isNaN)) return fail(process, 'bad number');
  const lines: string[] = [];
  for (let value = from; (step > 0 ? value <= to : value >= to) && lines.length < 100_000; value += step)
    lines.push(String(value));
  write(process, lines);
  return 0;
};

const yes: Program = async (process) => {
  const line = `${process.args.join(' ') || 'y'}\n`;
  process.cpu = 1;
  for (;;) {
    process.stdout.write(line.repeat(100));
    await process.sleep(100);
  }
};

const expr: Program = (process) => {
  const [left = '', operator, right = ''] = process.args;
  const [a, b] = [Number(left), Number(right)];
  const results: Readonly<Record<string, string | number | boolean>> = {
    '+': a + b,
    '-': a - b,
    '*': a * b,
    '/': Math.trunc(a / b),
    '%': a % b,
    '=': left === right,
    '!=': left !== right,
    '<': a < b,
    '>': a > b,
  };
  const result = operator === undefined ? left : results[operator];
  if (result === undefined) return fail(process, 'syntax error', 2);
  process.stdout.write(`${typeof result === 'boolean' ? Number(result) : result}\n`);
  return result === 0 || result === '' || result === false ? 1 : 0;
};

export const textPrograms: Readonly<Record<string, Program>> = {
  head,
  tail,
  wc,
  grep,
  egrep: grep,
  fgrep: grep,
  sort,
  uniq,
  cut,
  tr,
  sed,
  tee,
  seq,
  yes,
  expr,
};
