/** Implements `podscope lessons`: checks lessons, and exports them for learning platforms. */
import { resolve } from 'node:path';
import { type CommandBody, callOf, readArguments, UsageError } from '@podscope/command-line';
import { checkFiles } from './check.ts';

const options = { scorm: { type: 'boolean' }, out: { type: 'string', default: '.' } } as const;

export const command: CommandBody = {
  help: `Usage: ${callOf('lessons')} check [FILE…]
       ${callOf('lessons')} export --scorm [--out DIR] LESSON…

check   Plays the lessons in the simulator and reports everything that is wrong with them, as FILE:LINE: MESSAGE:
        unknown words and scenarios, claims that don't hold, questions without exactly one right option, translations
        that differ from their original. Also checks scenarios (*.scenario.yaml). Without FILE, checks the lessons of
        the repository. Exit code 1 if something is wrong.
export  Writes each lesson as a package for learning platforms, ID.scorm.zip, where ID is the id in the lesson's front
        matter. LESSON is a file, NAME.md, or the id of a lesson of the repository. The Chinese translation is
        included if it is beside the file (NAME.zh-CN.md).

Options:
  --scorm     The format of the packages: SCORM 1.2
  --out DIR   The folder of the packages (default: the current one)
`,
  examples: [
    ['lessons check my-lesson.md', 'Check a lesson of your own'],
    ['lessons export --scorm --out scorm crash-loops', 'Write a lesson as a SCORM package'],
  ],
  async run(args) {
    const { positionals, values } = readArguments(args, options, callOf('lessons'));
    const [action, ...rest] = positionals;
    if (action === 'check') return checkFiles(rest);
    if (action === 'export') {
      if (values.scorm !== true) throw new UsageError('lessons export: name the format: --scorm');
      const { exportScorm } = await import('./export-scorm.ts');
      return exportScorm(rest, resolve(values.out));
    }
    throw new UsageError(`lessons: name what to do: check or export (see ${callOf('lessons')} --help)`);
  },
};
