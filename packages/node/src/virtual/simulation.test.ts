import { background, instant, Tracer, toJson } from '@podscope/trace';
import { afterEach, describe, expect, it } from 'vitest';
import { Simulation, type SimulationOptions } from './simulation.ts';

const crashLoop = `
apiVersion: v1
kind: Pod
metadata: { name: web, annotations: { sim.podscope.dev/app: 'log="starting"; exit=1 after=3s~2s' } }
spec:
  containers: [{ name: app, image: nginx:1.27 }]
`;

const running: Simulation[] = [];

async function begin(options?: SimulationOptions): Promise<Simulation> {
  const simulation = new Simulation(options);
  running.push(simulation);
  await simulation.start();
  return simulation;
}

afterEach(async () => {
  for (const simulation of running.splice(0)) await simulation.stop();
});

/** Runs a crashing pod for ten minutes and returns the log as text. */
async function logOf(options?: SimulationOptions): Promise<string> {
  const simulation = await begin(options);
  const { errors } = await simulation.nodeHost.commands.apply(crashLoop);
  expect(errors).toEqual([]);
  await simulation.clock.advance(600_000);
  return simulation.nodeHost.log
    .after(0)
    .map((event) => toJson(event))
    .join('\n');
}

describe('a simulation', () => {
  it('has no Docker call in its log before its first pod', async () => {
    const { nodeHost } = await begin();
    expect(nodeHost.log.after(0).filter((event) => event.type === 'spanStarted' && event.kind === 'docker')).toEqual(
      [],
    );
  });

  it('gives the same log, byte for byte, for the same seed', async () => {
    const first = await logOf({ seed: 3 });
    expect(first).toContain('CrashLoopBackOff');
    expect(await logOf({ seed: 3 })).toBe(first);
  });

  it('gives another log for another seed', async () => {
    expect(await logOf({ seed: 4 })).not.toBe(await logOf({ seed: 3 }));
  });

  it.each([
    ['v1.36', 'registry.k8s.io/pause:3.10'],
    ['v1.20', 'k8s.gcr.io/pause:3.2'],
  ] as const)("creates sandboxes from %s's pause image %s", async (profile, image) => {
    const simulation = await begin({ profile });
    await simulation.nodeHost.commands.apply(crashLoop);
    await simulation.clock.advance(10_000);
    const events = simulation.nodeHost.log.after(0);
    const created = events.find(
      (event) => event.type === 'spanStarted' && event.point === 'simulator.createSandboxContainer',
    );
    expect(created).toMatchObject({ attributes: { image } });
    const images = await simulation.simulator.images.listImages(background(simulation.clock, new Tracer()), {});
    expect(images.images.flatMap(({ repoTags }) => repoTags)).toContain(image);
  });

  it('begins at the given instant', async () => {
    const start = instant(Date.UTC(2030, 5, 1));
    const simulation = await begin({ start });
    expect(simulation.nodeHost.nodeInfo()).toMatchObject({ startedAt: start, runtime: { kind: 'sim' } });
  });
});
