import { describe, expect, it, onTestFinished } from 'vitest';
import { Simulation } from './simulation.ts';

const manifest = `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  resources: { requests: { cpu: '1', memory: 1Gi }, limits: { cpu: '1', memory: 1Gi } }
  containers:
    - name: app
      image: busybox:1.36
      command: [sleep, '3600']
      resources: { requests: { cpu: 500m, memory: 64Mi }, limits: { memory: 64Mi } }
      volumeMounts: [{ name: memory, mountPath: /memory }]
  volumes: [{ name: memory, emptyDir: { medium: Memory } }]
`;
const mebibyte = 1024 ** 2;

async function run(options: ConstructorParameters<typeof Simulation>[0]): Promise<Simulation> {
  const simulation = new Simulation({ ...options, simulator: { latencies: {} } });
  onTestFinished(() => simulation.stop());
  await simulation.start();
  expect((await simulation.nodeHost.commands.apply(manifest)).errors).toEqual([]);
  await simulation.clock.advance(10_000);
  return simulation;
}

const podOf = ({ nodeHost }: Simulation) => nodeHost.api.storage.mustGet('Pod', 'default', 'web');

/** Returns the attributes of the span of a CRI call. */
function callOf({ nodeHost }: Simulation, method: string): unknown {
  const spans = nodeHost.log.after(0).filter((event) => event.type === 'spanStarted');
  return spans.find(({ point }) => point === `cri.${method}`)?.attributes;
}

/** Returns the size of the emptyDir in memory, in bytes. */
const emptyDirSizeOf = ({ nodeHost }: Simulation): unknown =>
  nodeHost.log
    .after(0)
    .flatMap((event) => (event.type === 'decision' && event.rule === 'volumes.emptyDirMedium' ? [event.facts] : []))
    .at(0)?.['sizeBytes'];

// A request of 64 MiB on a node with 8 GiB: 1000 - 1000 * 64 / 8192, rounded up.
describe.each([
  ['v1.36', true, 'Guaranteed', '/kubepods/pod', -997, 1024],
  ['v1.36', false, 'Burstable', '/kubepods/burstable/pod', 993, 64],
  ['v1.20', undefined, 'Burstable', '/kubepods/burstable/pod', 993, undefined],
] as const)(
  'a pod with spec.resources under %s, gate PodLevelResources %s',
  (profile, gate, qosClass, parent, oom, size) => {
    it(`has the QoS class ${qosClass} in its status, cgroup and oom_score_adj, and its emptyDir the size`, async () => {
      const featureGates: Record<string, boolean> = gate === undefined ? {} : { PodLevelResources: gate };
      const simulation = await run({ profile, featureGates });
      const { status, metadata } = podOf(simulation);
      expect(status).toMatchObject({ phase: 'Running', qosClass });
      const cgroupParent = `${parent}${metadata.uid}`;
      expect(callOf(simulation, 'RunPodSandbox')).toMatchObject({ request: { config: { linux: { cgroupParent } } } });
      const resources = { oomScoreAdj: oom };
      expect(callOf(simulation, 'CreateContainer')).toMatchObject({ request: { config: { linux: { resources } } } });
      expect(emptyDirSizeOf(simulation)).toBe(size === undefined ? undefined : size * mebibyte);
    });
  },
);

it('does not resize a pod with spec.resources after its start', async () => {
  const simulation = await run({});
  const compared = simulation.nodeHost.log
    .after(0)
    .flatMap((event) =>
      event.type === 'decision' && event.rule === 'computePodActions.podLevelResources' ? [event.outcome] : [],
    );
  expect(new Set(compared)).toEqual(new Set(["the pod's own resources are as last applied"]));
  expect(callOf(simulation, 'UpdatePodSandboxResources')).toBeUndefined();
});

it('accepts the same manifest again while the gate PodLevelResources is off', async () => {
  const simulation = await run({ featureGates: { PodLevelResources: false } });
  expect(podOf(simulation).spec.resources).toBeUndefined();
  expect((await simulation.nodeHost.commands.apply(manifest)).errors).toEqual([]);
});
