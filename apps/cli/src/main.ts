/** The entry point of `podscope`: the commands for users. */
import { runProgram } from '@podscope/command-line';
import { commands } from './commands.ts';

/** Commands of the repository, which a user of the released program doesn't have. */
const laboratory = ['bench', 'chaos', 'conformance', 'twin'];

await runProgram({
  name: 'podscope',
  call: 'npx -y pnpm@12 podscope',
  commands,
  redirect: (name) => (laboratory.includes(name) ? `run it as: npx -y pnpm@12 ${name}` : undefined),
});
