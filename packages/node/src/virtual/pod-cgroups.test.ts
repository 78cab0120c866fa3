import type { TraceEvent } from '@podscope/trace';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Simulation } from './simulation.ts';

const web = `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers: [{ name: app, image: busybox:1.36, command: [sleep, '3600'], resources: { requests: { cpu: 500m } } }]
`;

async function start(profile: 'v1.36' | 'v1.20' = 'v1.36'): Promise<Simulation> {
  const simulation = new Simulation({ profile, simulator: { latencies: {} } });
  onTestFinished(() => simulation.stop());
  await simulation.start();
  return simulation;
}

const podOf = ({ nodeHost }: Simulation) => nodeHost.api.storage.mustGet('Pod', 'default', 'web');
const eventsOf = ({ nodeHost }: Simulation, reason: string): readonly string[] =>
  nodeHost.log
    .after(0)
    .flatMap((event) => (event.type === 'kubernetesEvent' && event.reason === reason ? [event.message] : []));

const isUpdate = (event: TraceEvent): boolean => event.type === 'decision' && event.rule === 'cgroups.updateQOS';

describe.each(['v1.36', 'v1.20'] as const)('the cgroup tree of a simulated node, %s', (profile) => {
  it('has the cgroup of a pod with its weight until the pod is gone', async () => {
    const simulation = await start(profile);
    const { cgroups } = simulation.simulator;
    await simulation.nodeHost.commands.apply(web);
    await simulation.clock.advance(3_000);
    const path = `/kubepods/burstable/pod${podOf(simulation).metadata.uid}`;
    expect(await cgroups.read(path)).toMatchObject({ cpuShares: 512 });
    expect(await cgroups.read('/kubepods/burstable')).toMatchObject({ cpuShares: 512 });
    expect([...(await cgroups.pods()).values()]).toEqual([path]);
    expect(Object.keys((await cgroups.memoryUsage(path)).children)).toHaveLength(1);
    simulation.nodeHost.api.registry.delete('Pod', 'default', 'web', { gracePeriodSeconds: 1 });
    await simulation.clock.advance(10_000);
    expect(await cgroups.exists(path)).toBe(false);
  });

  it('restores the weights of the QoS classes every minute, without a log entry', async () => {
    const simulation = await start(profile);
    const { cgroups } = simulation.simulator;
    expect(await cgroups.read('/kubepods/besteffort')).toMatchObject({ cpuShares: 2 });
    await simulation.nodeHost.commands.apply(web);
    await simulation.clock.advance(3_000);
    const updates = () => simulation.nodeHost.log.after(0).filter(isUpdate).length;
    const before = updates();
    await cgroups.update('/kubepods/burstable', { cpuShares: 7 });
    await simulation.clock.advance(60_000);
    expect(await cgroups.read('/kubepods/burstable')).toMatchObject({ cpuShares: 512 });
    expect(updates()).toBe(before);
  });

  it('fails the step when the cgroup can’t be created, and retries', async () => {
    const simulation = await start(profile);
    // The cgroups of the QoS classes exist already, so the next one is that of the pod.
    simulation.simulator.failNext('cgroup create', 'no space left on device');
    await simulation.nodeHost.commands.apply(web);
    await simulation.clock.advance(2_000);
    expect(eventsOf(simulation, 'FailedCreatePodContainer')).toEqual([
      'unable to ensure pod container exists: no space left on device',
    ]);
    await simulation.clock.advance(30_000);
    expect(podOf(simulation).status?.phase).toBe('Running');
  });
});

it('kills the containers of a cgroup that is destroyed', async () => {
  const simulation = await start();
  await simulation.nodeHost.commands.apply(web);
  await simulation.clock.advance(3_000);
  await simulation.simulator.cgroups.destroy(`/kubepods/burstable/pod${podOf(simulation).metadata.uid}`);
  await simulation.clock.advance(2_000);
  const [status] = podOf(simulation).status?.containerStatuses ?? [];
  expect(status?.lastState?.terminated?.exitCode).toBe(137);
});
