/**
 * The program that `pnpm start` runs. It loads the server only after it has parsed the command line and checked the
 * version of Node.
 */
import { unsupportedNode } from '@podscope/command-line';
import { print } from './cli/console.ts';
import { fail } from './cli/fail.ts';
import { helpText, parseCommandLine, UsageError } from './cli/options.ts';
import { productVersion } from './repository.ts';
import { StartError } from './start-error.ts';

try {
  const line = parseCommandLine(process.argv.slice(2));
  if (line.action === 'serve') {
    const problem = unsupportedNode(process.version);
    if (problem !== undefined) throw new StartError(problem);
    const { serve } = await import('./serve.ts');
    await serve(line.options);
  } else print(line.action === 'help' ? helpText() : productVersion);
} catch (error) {
  if (error instanceof UsageError) fail(error.message, 2);
  if (error instanceof StartError) fail(error.message, 1);
  fail(`could not start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`, 1);
}
