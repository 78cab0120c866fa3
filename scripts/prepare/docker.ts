/** Starts a Docker engine if no engine responds and this process may start one. */
import { spawn } from 'node:child_process';
import { openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { run, which } from '../lib/run.ts';

const startLimitMs = 60_000;

/** Returns true if an engine answers at DOCKER_HOST or at the default socket. */
async function answers(): Promise<boolean> {
  const { code } = await run('docker', ['version', '--format', '{{.Server.Version}}']).catch(() => ({ code: 1 }));
  return code === 0;
}

/**
 * Returns the address of the engine in the current context of the Docker client. Rootless Docker and Docker Desktop
 * create such a context and don't use the default socket. Returns undefined if `DOCKER_HOST` is set or the context uses
 * the default socket.
 */
export async function engineOfContext(): Promise<string | undefined> {
  if (process.env['DOCKER_HOST'] !== undefined) return undefined;
  const args = ['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}'];
  const { code, stdout } = await run('docker', args).catch(() => ({ code: 1, stdout: '' }));
  const host = stdout.trim();
  return code === 0 && host !== '' && host !== 'unix:///var/run/docker.sock' ? host : undefined;
}

/**
 * Starts dockerd if no engine responds and this process may start one.
 * @returns true if an engine responds
 * @throws Error if the started engine doesn't respond
 */
export async function prepareDocker(cache: string): Promise<boolean> {
  if (await answers()) return true;
  const canStart = process.platform === 'linux' && process.getuid?.() === 0 && (await which('dockerd')) !== undefined;
  if (!canStart || process.env['DOCKER_HOST'] !== undefined) {
    console.log(
      'No Docker engine answers: the tests on Docker don’t run here. Start one (sudo systemctl start docker).',
    );
    return false;
  }
  const log = join(cache, 'dockerd.log');
  console.log(`Starting dockerd (log: ${log}) …`);
  // An engine that was killed leaves its PID file, and a new engine doesn't start while the file exists.
  await rm('/var/run/docker.pid', { force: true });
  const out = openSync(log, 'w');
  spawn('dockerd', [], { detached: true, stdio: ['ignore', out, out] }).unref();
  for (const end = performance.now() + startLimitMs; performance.now() < end; await delay(250))
    if (await answers()) return true;
  throw new Error(`dockerd did not answer within ${startLimitMs / 1000} s; see ${log}`);
}
