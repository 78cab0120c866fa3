import type { ContainerStats } from '@podscope/cri';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { noMachine } from './machine-usage.ts';
import { StatsProvider, type StatsProviderOptions } from './stats-provider.ts';

const stats = (id: string, nanoSeconds: number | undefined): ContainerStats => ({
  attributes: {
    id,
    metadata: { name: 'app', attempt: 0 },
    labels: { 'io.kubernetes.pod.name': 'web', 'io.kubernetes.pod.uid': 'u' },
    annotations: {},
  },
  ...(nanoSeconds === undefined
    ? {}
    : { cpu: { timestamp: 0n, usageCoreNanoSeconds: { value: nanoSeconds }, usageNanoCores: { value: 42 } } }),
  memory: { timestamp: 0n, workingSetBytes: { value: 1024 } },
});

function setUp(more: Partial<StatsProviderOptions> = {}) {
  const clock = new VirtualClock();
  const start = clock.now();
  let looks = 0;
  // The container has used half a core since the start.
  const used = (): number => (clock.now() - start) * 0.5e6;
  const provider = new StatsProvider({
    runtime: {
      listContainerStats: () => {
        looks += 1;
        return Promise.resolve({ stats: [stats('a', used()), stats('ended', undefined)] });
      },
    },
    clock,
    machine: noMachine,
    knowsRates: false,
    ctx: background(clock, new Tracer()),
    ...more,
  });
  return { clock, provider, looks: () => looks };
}

describe('StatsProvider', () => {
  it('samples twice, a second apart, and omits ended containers', async () => {
    const { clock, provider, looks } = setUp();
    const reading = provider.read();
    await clock.advance(1_000);
    expect(await reading).toMatchObject({
      windowMs: 1_000,
      containers: [{ id: 'a', pod: 'web', container: 'app', cpuNanoCores: 0.5e9, workingSetBytes: 1024 }],
      node: { cpuNanoCores: 0.5e9, workingSetBytes: 1024 },
    });
    expect(looks()).toBe(2);
  });

  it('reuses the last sample if it is recent', async () => {
    const { clock, provider, looks } = setUp();
    const first = provider.read();
    await clock.advance(1_000);
    await first;
    await clock.advance(15_000);
    expect(await provider.read()).toMatchObject({ windowMs: 15_000, node: { cpuNanoCores: 0.5e9 } });
    expect(looks()).toBe(3);
  });

  it('serves concurrent requests with one sample', async () => {
    const { clock, provider, looks } = setUp();
    const readings = Promise.all([provider.read(), provider.read(), provider.read()]);
    await clock.advance(1_000);
    const [first, second] = await readings;
    expect(second).toBe(first);
    expect(looks()).toBe(2);
  });

  it('uses the rates that the runtime reports, also while time is paused', async () => {
    expect(await setUp({ knowsRates: true }).provider.read()).toMatchObject({
      containers: [{ cpuNanoCores: 42 }],
      node: { cpuNanoCores: 42 },
    });
  });

  it('returns the usage of the machine if there is one', async () => {
    const { clock, provider } = setUp({ machine: () => ({ cpuNanoSeconds: 7e9, workingSetBytes: 99 }) });
    const reading = provider.read();
    await clock.advance(1_000);
    expect(await reading).toMatchObject({ node: { cpuNanoSeconds: 7e9, cpuNanoCores: 0, workingSetBytes: 99 } });
  });
});
