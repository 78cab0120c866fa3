import { createRandom } from '@podscope/base';
import { instrumentImageService, instrumentRuntimeService } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import { TestRuntime } from './testing/test-runtime.ts';

const plain = (_key: string, value: unknown): unknown => {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Uint8Array ? [...value] : value;
};

/** Runs two pods with every feature that uses random numbers, and returns the event log as text. */
async function run(seed: number): Promise<string> {
  const test = new TestRuntime({ random: createRandom(seed) });
  const { ctx, clock } = test;
  const runtime = instrumentRuntimeService(test.simulator.runtime);
  const images = instrumentImageService(test.simulator.images);

  const pod = async (image: string, script: string): Promise<void> => {
    await images.pullImage(ctx, { image: { image } });
    const config = test.sandboxConfig({ annotations: { 'sim.podscope.dev/app': script } });
    const { podSandboxId } = await runtime.runPodSandbox(ctx, { config });
    for (let attempt = 0; attempt < 3; attempt++) {
      const { containerId } = await runtime.createContainer(ctx, {
        podSandboxId,
        sandboxConfig: config,
        config: { metadata: { name: 'app', attempt }, image: { image }, labels: {}, annotations: {}, logPath: '' },
      });
      await runtime.startContainer(ctx, { containerId });
      await runtime.execSync(ctx, { containerId, cmd: ['sh', '-c', 'echo $RANDOM; mktemp'], timeout: 5 });
      await runtime.stopContainer(ctx, { containerId, timeout: 1 });
      await runtime.containerStatus(ctx, { containerId });
    }
    await runtime.stopPodSandbox(ctx, { podSandboxId });
  };

  await test.drive(
    Promise.all([
      pod('nginx:1.27', 'exit=1 after=3s~2s; log="tick" every=200ms~100ms'),
      pod('redis:7', 'run; sigterm=0 after=500ms~400ms'),
    ]),
  );
  await clock.advance(10_000);
  return JSON.stringify(test.log.after(0), plain);
}

describe('a run', () => {
  it('is the same, byte for byte, for the same seed', async () => {
    const first = await run(7);
    expect(first.length).toBeGreaterThan(10_000);
    expect(await run(7)).toBe(first);
  });

  it('differs for another seed', async () => {
    expect(await run(8)).not.toBe(await run(7));
  });
});
