/** Prints the completions for the words of the command line. */
import { complete } from './complete.ts';

const { words, directive } = await complete(process.argv.slice(2));
process.stdout.write(`${[...words, `:${directive}`].join('\n')}\n`);
