/** Runs one command in a test machine: `npx -y pnpm@12 isolated vitest run --project docker PATH`. */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { must, show } from '../lib/run.ts';
import { startTestMachine, whyNoTestMachine } from './namespaces.ts';

const root = resolve(import.meta.dirname, '../..');
const [command, ...parameters] = process.argv.slice(2);
const reason = await whyNoTestMachine();
if (command === undefined || reason !== undefined) {
  console.error(reason ?? 'Usage: node scripts/test-machine/run.ts COMMAND…');
  process.exit(2);
}
await mkdir(join(root, '.cache'), { recursive: true });
const machine = await startTestMachine({ dockerdLog: join(root, '.cache', `dockerd-${process.pid}.log`) });
// Ignore Ctrl+C here: the command receives it too, and the machine is closed when the command has ended.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => void machine.close());
try {
  const env = machine.environment(process.env);
  const [program, ...args] = machine.inside([process.execPath, join(root, 'scripts', 'local-images.ts')]);
  await must(program, args, { env });
  const [start, ...rest] = machine.inside([command, ...parameters]);
  process.exitCode = await show(start, rest, { env });
  console.log(`${(await machine.processorSeconds()).toFixed(0)} s of processor time`);
} finally {
  await machine.close();
}
