import { expect, it, onTestFinished } from 'vitest';
import { Simulation } from './simulation.ts';

const script = "trap 'exit 7' USR1; trap 'exit 9' TERM; while :; do sleep 1; done";
const manifest = `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  os: { name: linux }
  restartPolicy: Never
  activeDeadlineSeconds: 20
  containers:
    - { name: own, image: 'busybox:1.36', command: [sh, -c, "${script}"], lifecycle: { stopSignal: SIGUSR1 } }
    - { name: usual, image: 'busybox:1.36', command: [sh, -c, "${script}"] }
`;

it.each([
  [true, 7],
  [false, 9],
] as const)(
  'a container with lifecycle.stopSignal exits, with the gate ContainerStopSignals %s, with code %i',
  async (gate, code) => {
    const featureGates = { ContainerStopSignals: gate };
    const simulation = new Simulation({ featureGates, simulator: { latencies: {} } });
    onTestFinished(() => simulation.stop());
    await simulation.start();
    const { api, commands } = simulation.nodeHost;
    expect((await commands.apply(manifest)).errors).toEqual([]);
    await simulation.clock.advance(60_000);
    const { status } = api.storage.mustGet('Pod', 'default', 'web');
    expect(status).toMatchObject({ phase: 'Failed', reason: 'DeadlineExceeded' });
    expect(status?.containerStatuses?.map(({ name, state }) => [name, state?.terminated?.exitCode])).toEqual([
      ['own', code],
      ['usual', 9],
    ]);
  },
);
