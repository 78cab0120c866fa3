/** Makes sure that a Docker engine answers. */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run } from '../lib/run.ts';

const answers = async (): Promise<boolean> => (await run('docker', ['info', '--format', '{{.ServerVersion}}'])).code === 0;

/**
 * Starts dockerd when no engine answers and we may.
 * @throws Error that names the remedy.
 */
export async function prepareDocker(cache: string): Promise<void> {
  if (await answers()) return;
  if (process.platform !== 'linux' || process.getuid?.() !== 0) {
    throw new Error('no Docker engine answers. Start it (sudo systemctl start docker, or Docker Desktop) and run the tests again.');
  }
  const log = join(cache, 'dockerd.log');
  console.log(`Starting dockerd (log: ${log}) …`);
  // Left behind by an engine that was killed; a new one refuses to start beside it.
  await rm('/var/run/docker.pid', { force: true });
  const out = openSync(log, 'w');
  spawn('dockerd', [], { detached: true, stdio: ['ignore', out, out] }).unref();
  for (let waited = 0; waited < 60_000; waited += 250) {
    if (await answers()) return;
    await delay(250);
  }
  throw new Error(`dockerd did not answer within 60 s; see ${log}`);
}
