import { mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createSimulator } from '../simulator.ts';
import { FastClock } from '../testing/fast-clock.ts';
import { TestRuntime } from '../testing/test-runtime.ts';
import { AppendedLogFiles } from './appended-log-files.ts';

it('log files contain all 60000 lines of a container and continue in a new file after a rotation', {
  timeout: 120_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'log-files-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const failures: unknown[] = [];
  const test = new TestRuntime();
  // The clock is fast instead of virtual, because file operations take real time.
  const simulator = createSimulator({
    clock: new FastClock(100),
    logFiles: new AppendedLogFiles((_path, error) => failures.push(error)),
  });
  const { runtime } = simulator;
  const sandboxConfig = test.sandboxConfig({ logDirectory: folder });
  const { podSandboxId } = await runtime.runPodSandbox(test.ctx, { config: sandboxConfig });
  const config = {
    metadata: { name: 'app', attempt: 0 },
    image: { image: 'busybox:1.36' },
    command: ['sh', '-c', 'seq 1 60000; until [ -e /tmp/rotated ]; do sleep 1; done; seq 60001 60010'],
    labels: {},
    annotations: {},
    logPath: 'app/0.log',
  };
  const { containerId } = await runtime.createContainer(test.ctx, { podSandboxId, config, sandboxConfig });
  await runtime.startContainer(test.ctx, { containerId });
  const path = join(folder, 'app/0.log');
  const numbers = async (file: string): Promise<string[]> =>
    (await readFile(file, 'utf8')).split('\n').flatMap((line) => line.split(' ')[3] ?? []);
  await vi.waitFor(async () => expect((await numbers(path)).at(-1)).toBe('60000'), { timeout: 120_000 });
  await rename(path, `${path}.1`);
  await runtime.reopenContainerLog(test.ctx, { containerId });
  await runtime.execSync(test.ctx, { containerId, cmd: ['touch', '/tmp/rotated'], timeout: 10 });
  await vi.waitFor(
    async () => {
      const { status } = await runtime.containerStatus(test.ctx, { containerId });
      expect(status.state).toBe('CONTAINER_EXITED');
    },
    { timeout: 120_000 },
  );
  expect((await numbers(`${path}.1`)).length).toBe(60_000);
  expect(await numbers(path)).toEqual(Array.from({ length: 10 }, (_, index) => String(60_001 + index)));
  expect(failures).toEqual([]);
});
