/** Prints the completion of the words of its command line. */
import { complete } from './complete.ts';

const { words, directive } = await complete(process.argv.slice(2));
process.stdout.write(`${[...words, `:${directive}`].join('\n')}\n`);
