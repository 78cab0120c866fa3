/** Runs the server for `pnpm start`. */
import { UsageError } from '@podscope/command-line';
import { fail } from './cli/fail.ts';
import { command } from './start-command.ts';

try {
  process.exitCode = await command.run(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof UsageError)) throw error;
  fail(error.message, 2);
}
