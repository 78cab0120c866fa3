/** Runs `podscope`: the commands for users. */
import { callOf, isPackaged, runProgram } from '@podscope/command-line';
import { productVersion } from '@podscope/server/version';
import { commands } from './commands.ts';

/** Commands that exist only in the repository and not in the released program. */
const laboratory = isPackaged ? [] : ['bench', 'chaos', 'conformance', 'twin'];

await runProgram({
  name: 'podscope',
  call: callOf(),
  version: productVersion,
  defaultCommand: 'start',
  commands,
  redirect: (name) => (laboratory.includes(name) ? `run it as: npx -y pnpm@12 ${name}` : undefined),
});
