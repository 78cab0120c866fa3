/** A pod that is deleted at any instant of its start: nothing of it stays, and it does not take longer than what its containers are given. */
import { describe, expect, it } from 'vitest';
import { Bench, newPod } from './testing/bench.ts';

const graceSeconds = 5;
const runs = (name: string) => ({ name, image: 'busybox:1.36', command: ['sh', '-c', 'trap "exit 0" TERM; sleep 3600'] });
const sidecar = (name: string) => ({ ...runs(name), restartPolicy: 'Always' as const });
/** What each call takes, in ms: a sidecar starts about every second and a half. */
const latencies = { RunPodSandbox: 300, CreateContainer: 400, StartContainer: 400, ContainerStatus: 20, ListContainers: 20, StopContainer: 100 };
const pod = newPod('web', {
  terminationGracePeriodSeconds: graceSeconds,
  initContainers: [sidecar('one'), sidecar('two'), sidecar('three')],
  containers: [runs('app')],
});

/** Seconds from the deletion until nothing is left in the API, and the names of containers that still run then. */
async function deleteAt(seconds: number): Promise<{ readonly took: number; readonly left: readonly string[]; readonly startedAfterwards: readonly unknown[] }> {
  const bench = new Bench({ simulator: { latencies } });
  await bench.start();
  bench.api.apply(pod);
  await bench.until(seconds);
  bench.api.delete('web');
  const deleted = bench.log.lastSeq;
  let now = seconds;
  while (bench.api.pods.has('web') && now < seconds + 60) {
    now += 0.5;
    await bench.until(now);
  }
  const running = new Map<string, boolean>();
  for (const { object, name, to } of bench.ofType('runtimeStateChanged')) if (object === 'container') running.set(name ?? '', to === 'running');
  const left = [...running].flatMap(([name, runs]) => (runs ? [name] : []));
  const killing = bench.log.after(deleted).find((event) => event.type === 'spanStarted' && event.point === 'kubelet.SyncTerminatingPod')?.seq ?? deleted;
  const startedAfterwards = bench.log.after(killing).filter((event) => event.type === 'spanStarted' && event.point === 'cri.StartContainer');
  await bench.stop();
  return { took: now - seconds, left, startedAfterwards };
}

describe('a pod with sidecars that is deleted while it starts', () => {
  const instants = Array.from({ length: 20 }, (_, index) => (1 + index * 4) / 10);

  it.each(instants)('after %d s', async (seconds) => {
    const { took, left, startedAfterwards } = await deleteAt(seconds);
    // What is under way ends first (two calls), then everything is stopped, then one look each at runtime and API.
    expect(took).toBeLessThanOrEqual(graceSeconds + 5);
    expect(left).toEqual([]);
    expect(startedAfterwards).toEqual([]);
  });
});
