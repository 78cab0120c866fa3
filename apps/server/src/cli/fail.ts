/** Prints a fatal error on the console and ends the process. */
import { printable } from '@podscope/trace';

/** Prints one line on stderr and exits. */
export function fail(message: string, code: number): never {
  process.stderr.write(`podscope: ${printable(message)}\n`);
  process.exit(code);
}
