/** Tests `podscope run` as a process, with a pod on Docker. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DockerEngine } from '@podscope/dockershim/testing/docker-engine';
import { afterEach, beforeEach, expect, it } from 'vitest';

const main = join(import.meta.dirname, '..', 'main.ts');
let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'podscope-run-docker-'));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const manifest = (name: string, script: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name },
    spec: {
      restartPolicy: 'Never',
      terminationGracePeriodSeconds: 1,
      containers: [{ name: 'app', image: 'busybox:1.36', imagePullPolicy: 'Never', command: ['sh', '-c', script] }],
    },
  });

/** Returns the number of containers, in any state, of pods with this name. No other test uses the name. */
async function leftOf(name: string): Promise<number> {
  const filters = encodeURIComponent(JSON.stringify({ label: [`io.kubernetes.pod.name=${name}`] }));
  return ((await new DockerEngine().call('GET', `/containers/json?all=1&filters=${filters}`)) as readonly unknown[])
    .length;
}

async function start(name: string, script: string, args: readonly string[]) {
  const file = join(directory, `${name}.yaml`);
  await writeFile(file, manifest(name, script));
  const child = spawn(process.execPath, [main, 'run', file, '--runtime', 'docker', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let reported = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (reported += text));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, out, reported }));
  return { child, ended, said: () => out };
}

it('runs a pod to its end, reports its outcome, and removes its containers', async () => {
  const name = `run-job-${randomUUID()}`;
  const { ended } = await start(name, 'sleep 1; exit 3', ['--until', 'failed', '--timeout', '2m']);
  const { code, out, reported } = await ended;
  expect(reported).toContain(`reached: default/${name} Failed`);
  expect(out).toMatch(/StartContainer .*\d (?:ms|s)\n/);
  expect(out).toContain('container app 0 exited with code 3');
  expect(out).not.toContain('\u001b[');
  expect(code).toBe(0);
  expect(await leftOf(name)).toBe(0);
});

it('deletes the pods on Ctrl+C', async () => {
  const name = `run-break-${randomUUID()}`;
  const { child, ended, said } = await start(name, 'sleep 3600', ['--until', 'succeeded', '--timeout', '2m']);
  await expect.poll(said).toContain('container app 0 running');
  child.kill('SIGINT');
  const { code, reported } = await ended;
  expect([code, reported]).toEqual([130, expect.stringContaining('interrupted') as unknown]);
  expect(await leftOf(name)).toBe(0);
});
