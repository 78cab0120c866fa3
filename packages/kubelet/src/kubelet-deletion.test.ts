/**
 * Tests the deletion of a pod at any instant of its start: nothing of the pod remains, and the deletion takes at most
 * its grace period plus a few seconds.
 */
import { describe, expect, it } from 'vitest';
import { KubeletHarness, newPod } from './testing/kubelet-harness.ts';

const graceSeconds = 5;
const runs = (name: string) => ({
  name,
  image: 'busybox:1.36',
  command: ['sh', '-c', 'trap "exit 0" TERM; sleep 3600'],
});
const sidecar = (name: string) => ({ ...runs(name), restartPolicy: 'Always' as const });
/** The duration of each call in ms. With these durations, one sidecar starts about every second. */
const latencies = {
  RunPodSandbox: 300,
  CreateContainer: 400,
  StartContainer: 400,
  ContainerStatus: 20,
  ListContainers: 20,
  StopContainer: 100,
};
const pod = newPod('web', {
  terminationGracePeriodSeconds: graceSeconds,
  initContainers: [sidecar('one'), sidecar('two'), sidecar('three')],
  containers: [runs('app')],
});

/**
 * Returns the seconds from the deletion until the API has no object left, and the names of the containers that still
 * run then.
 */
async function deleteAt(seconds: number): Promise<{
  readonly took: number;
  readonly left: readonly string[];
  readonly startedAfterwards: readonly unknown[];
}> {
  const harness = new KubeletHarness({ simulator: { latencies } });
  await harness.start();
  harness.api.apply(pod);
  await harness.until(seconds);
  harness.api.delete('web');
  const deleted = harness.log.lastSeq;
  let now = seconds;
  while (harness.api.pods.has('web') && now < seconds + 60) {
    now += 0.5;
    await harness.until(now);
  }
  const running = new Map<string, boolean>();
  for (const { object, name, to } of harness.ofType('runtimeStateChanged'))
    if (object === 'container') running.set(name ?? '', to === 'running');
  const left = [...running].flatMap(([name, runs]) => (runs ? [name] : []));
  const killing =
    harness.log
      .after(deleted)
      .find((event) => event.type === 'spanStarted' && event.point === 'kubelet.SyncTerminatingPod')?.seq ?? deleted;
  const startedAfterwards = harness.log
    .after(killing)
    .filter((event) => event.type === 'spanStarted' && event.point === 'cri.StartContainer');
  await harness.stop();
  return { took: now - seconds, left, startedAfterwards };
}

describe('a pod with sidecars that is deleted while it starts', () => {
  const instants = Array.from({ length: 20 }, (_, index) => (1 + index * 4) / 10);

  it.each(instants)(
    'stops within its grace period plus 5 s and starts no further container (deleted after %d s)',
    async (seconds) => {
      const { took, left, startedAfterwards } = await deleteAt(seconds);
      // The two calls in progress finish first, then everything is stopped.
      expect(took).toBeLessThanOrEqual(graceSeconds + 5);
      expect(left).toEqual([]);
      expect(startedAfterwards).toEqual([]);
    },
  );
});

it('continues the liveness probes of sidecars, but not of regular containers, while the pod terminates', async () => {
  const harness = new KubeletHarness({ simulator: { latencies: {} } });
  await harness.start();
  const probe = { exec: { command: ['true'] }, periodSeconds: 2, timeoutSeconds: 1, failureThreshold: 3 };
  const stubborn = { command: ['sh', '-c', 'trap "" TERM; while true; do sleep 1; done'], livenessProbe: probe };
  harness.api.apply(
    newPod('web', {
      terminationGracePeriodSeconds: 10,
      initContainers: [{ ...sidecar('one'), ...stubborn }],
      containers: [{ ...runs('app'), ...stubborn }],
    }),
  );
  const probed = (name: string): number =>
    harness
      .ofType('spanStarted')
      .filter(({ point, attributes }) => point === 'kubelet.probe' && attributes['container'] === name).length;
  await harness.until(7);
  const before = { one: probed('one'), app: probed('app') };
  expect(before).toEqual({ one: 4, app: 4 });
  harness.api.delete('web');
  await harness.until(15);
  expect({ one: probed('one'), app: probed('app') }).toEqual({ one: before.one + 4, app: before.app });
  await harness.until(60);
  expect(harness.api.pods.has('web')).toBe(false);
  await harness.stop();
});
