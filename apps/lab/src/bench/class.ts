/** Implements `bench class`: measures a class server with many learners. */
import { type CommandBody, readArguments, UsageError } from '@podscope/command-line';
import { measureClass } from './class/class-delay.ts';
import { measurePaint } from './class/class-paint.ts';
import { meets, printFigure } from './ui/figure.ts';

const usual = 60;
const options = { learners: { type: 'string', default: String(usual) }, paint: { type: 'boolean' } } as const;

export const bench: CommandBody = {
  help: `Usage: npx -y pnpm@12 bench class [--learners N] [--paint]

Starts a class server with ${usual} learners on this machine. The teacher shows a run on all screens and moves
through it, while a third of the learners move at a time.

--learners N takes another number of learners, up to 200.
--paint also opens a teacher's and a learner's page in Chromium, and measures from the press of a tab in the teacher's
page until the learner's page has painted that tab.

Exit code 1 when a p95 from the teacher's action to the learners is above 500 ms, the server's memory above 300 MB,
or the memory that it retains for the class above 10 MB.`,
  examples: [['bench class', 'Measure and print the figures']],
  async run(args) {
    const { values } = readArguments(args, options, 'bench class');
    const count = Number(values.learners);
    if (!Number.isSafeInteger(count) || count < 1 || count > 200)
      throw new UsageError(`--learners ${JSON.stringify(values.learners)} is not a number from 1 to 200`);
    const figures = [...(await measureClass(count)), ...(values.paint === true ? await measurePaint(count) : [])];
    for (const figure of figures) printFigure(figure);
    return figures.every(meets) ? 0 : 1;
  },
};
