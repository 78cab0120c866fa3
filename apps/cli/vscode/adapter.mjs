// Starts the debug adapter with the Node of this repository, because the one in an editor's path may be too old to run
// TypeScript.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const adapter = spawn(`${root}node_modules/.bin/node`, [`${root}apps/cli/src/main.ts`, 'dap'], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => adapter.kill(signal));
adapter.on('error', (error) => {
  console.error(`podscope: ${error.message}: run "npx -y pnpm@12 install" in ${root}`);
  process.exitCode = 1;
});
adapter.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
