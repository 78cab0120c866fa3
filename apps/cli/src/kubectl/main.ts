/** Runs `kubectl podscope`. */
import { runProgram } from '@podscope/command-line';
import { productVersion } from '@podscope/server/version';
import { kubectlCommands } from './commands.ts';

await runProgram({
  name: 'kubectl podscope',
  call: 'kubectl podscope',
  version: productVersion,
  commands: kubectlCommands,
});
