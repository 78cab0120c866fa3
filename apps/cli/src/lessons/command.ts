/** Implements `podscope lessons`: checks lessons, and exports them for learning platforms. */
import { type CommandBody, callOf, readArguments, UsageError } from '@podscope/command-line';
import { checkFiles } from './check.ts';

const options = {} as const;

export const command: CommandBody = {
  help: `Usage: ${callOf('lessons')} check [FILE…]

check   Plays the lessons in the simulator and reports everything that is wrong with them, as FILE:LINE: MESSAGE:
        unknown words and scenarios, claims that don't hold, questions without exactly one right option, translations
        that differ from their original. Also checks scenarios (*.scenario.yaml). Without FILE, checks the lessons of
        the repository. Exit code 1 if something is wrong.
`,
  examples: [['lessons check my-lesson.md', 'Check a lesson of your own']],
  async run(args) {
    const { positionals } = readArguments(args, options, callOf('lessons'));
    const [action, ...rest] = positionals;
    if (action === 'check') return checkFiles(rest);
    throw new UsageError(`lessons: name what to do: check (see ${callOf('lessons')} --help)`);
  },
};
