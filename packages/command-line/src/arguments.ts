/** Parses the arguments of a command. */
import { parseArgs } from 'node:util';
import { UsageError } from './command.ts';

type Options = NonNullable<Parameters<typeof parseArgs>[0]>['options'];

/**
 * Parses options and positional arguments. Unknown options are errors.
 * @param command name of the command, for the message
 * @throws UsageError that names the invalid argument
 */
export function readArguments<const O extends Options>(args: readonly string[], options: O, command: string) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true });
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    throw new UsageError(`${command}: ${reason} (see ${command} --help)`, { cause: error });
  }
}
