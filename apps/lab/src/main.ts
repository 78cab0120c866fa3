/** Runs the laboratory: commands that measure Podscope and compare it with the genuine kubelet. */
import { runProgram } from '@podscope/command-line';
import { commands } from './commands.ts';

await runProgram({ name: 'podscope', call: 'npx -y pnpm@12', commands });
