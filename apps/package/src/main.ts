/** Runs `pnpm build:package`, `pnpm build:image`, `pnpm build:extension` and `pnpm build:krew`. */
import { runProgram } from '@podscope/command-line';
import { packageCommands } from './commands.ts';

await runProgram({
  name: 'podscope',
  call: 'npx -y pnpm@12',
  defaultCommand: 'build:package',
  commands: packageCommands,
});
