import { printable } from '@podscope/trace';

/** One line on stderr, and the end. */
export function fail(message: string, code: number): never {
  process.stderr.write(`podscope: ${printable(message)}\n`);
  process.exit(code);
}
