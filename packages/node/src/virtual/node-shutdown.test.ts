import { expect, it, onTestFinished } from 'vitest';
import { Simulation } from './simulation.ts';

const pod = (name: string, script: string, more = ''): string => `
apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  ${more}
  containers: [{ name: app, image: 'busybox:1.36', command: [sh, -c, "${script}"] }]
`;
const stops = (seconds: number): string => `trap 'sleep ${seconds}; exit 1' TERM; while :; do sleep 1; done`;
const pods = [
  pod('usual', stops(3)),
  pod('stubborn', "trap '' TERM; while :; do sleep 1; done"),
  pod('critical', stops(1), 'priorityClassName: system-node-critical'),
].join('---\n');

async function start(options: ConstructorParameters<typeof Simulation>[0] = {}): Promise<Simulation> {
  const simulation = new Simulation({ ...options, simulator: { latencies: {} } });
  onTestFinished(() => simulation.stop());
  await simulation.start();
  expect((await simulation.nodeHost.commands.apply(pods)).errors).toEqual([]);
  await simulation.clock.advance(10_000);
  return simulation;
}

const statusOf = ({ nodeHost }: Simulation, name: string) =>
  nodeHost.api.storage.mustGet('Pod', 'default', name).status;
const readyOf = ({ nodeHost }: Simulation) =>
  nodeHost.api.storage.list('Node')[0]?.status?.conditions?.find(({ type }) => type === 'Ready');
/** Returns when the app of a pod finished, in whole seconds after `since`. */
const finishedAfter = (simulation: Simulation, name: string, since: number): number => {
  const at = statusOf(simulation, name)?.containerStatuses?.[0]?.state?.terminated?.finishedAt;
  return Math.round((Date.parse(at ?? '') - since) / 1000);
};

it('a node that shuts down ends its pods by priority and rejects new ones; a restart makes it ready', async () => {
  const simulation = await start();
  const { nodeHost, clock } = simulation;
  const since = clock.now();
  const shutdown = nodeHost.shutDown({ gracePeriodSeconds: 30, criticalGracePeriodSeconds: 10 });
  expect(readyOf(simulation)).toMatchObject({
    status: 'False',
    reason: 'KubeletNotReady',
    message: 'node is shutting down',
  });
  await clock.advance(2_000);
  expect((await nodeHost.commands.apply(pod('late', stops(0)))).errors).toEqual([]);
  await clock.advance(58_000);
  await shutdown;
  for (const name of ['usual', 'stubborn', 'critical'])
    expect(statusOf(simulation, name)).toMatchObject({
      phase: 'Failed',
      reason: 'Terminated',
      message: 'Pod was terminated in response to imminent node shutdown.',
      conditions: expect.arrayContaining([
        expect.objectContaining({
          type: 'DisruptionTarget',
          status: 'True',
          reason: 'TerminationByKubelet',
          message: 'Pod was terminated in response to imminent node shutdown.',
          lastTransitionTime: expect.any(String) as unknown,
        }),
      ]),
    });
  const events = nodeHost.api.storage.list('Event');
  expect(events.filter(({ involvedObject }) => involvedObject.kind === 'Node').map(({ reason }) => reason)).toContain(
    'Shutdown',
  );
  expect(finishedAfter(simulation, 'usual', since)).toBeLessThanOrEqual(5);
  // The first group has 20 of the 30 seconds. Critical pods are ended when it is over.
  expect(finishedAfter(simulation, 'stubborn', since)).toBe(20);
  expect(finishedAfter(simulation, 'critical', since)).toBeGreaterThanOrEqual(21);
  expect(statusOf(simulation, 'late')).toMatchObject({
    phase: 'Failed',
    reason: 'NodeShutdown',
    message: 'Pod was rejected: Pod was rejected as the node is shutting down.',
  });
  const decisions = nodeHost.log
    .after(0)
    .flatMap((event) =>
      event.type === 'decision' && /^nodeShutdown|^admission.nodeShutdown/.test(event.rule)
        ? [`${event.rule} ${String(event.facts['pod'])}`]
        : [],
    );
  expect(decisions).toEqual([
    'nodeShutdown.terminate stubborn',
    'nodeShutdown.terminate usual',
    'admission.nodeShutdown late',
    'nodeShutdown.terminate critical',
  ]);

  const restarted = nodeHost.restartKubelet();
  await clock.advance(30_000);
  await restarted;
  expect(readyOf(simulation)).toMatchObject({ status: 'True' });
  expect((await nodeHost.commands.apply(pod('next', stops(0)))).errors).toEqual([]);
  await clock.advance(10_000);
  expect(statusOf(simulation, 'next')).toMatchObject({ phase: 'Running' });
});

it.each([
  ['the gate GracefulNodeShutdown off', { featureGates: { GracefulNodeShutdown: false } }, 30],
  ['v1.20, where the gate is off', { profile: 'v1.20' }, 30],
  ['no grace period', {}, 0],
] as const)('a node with %s keeps its pods at a shutdown', async (_case, options, gracePeriodSeconds) => {
  const simulation = await start(options);
  await simulation.nodeHost.shutDown({ gracePeriodSeconds, criticalGracePeriodSeconds: 0 });
  await simulation.clock.advance(10_000);
  expect(statusOf(simulation, 'usual')).toMatchObject({ phase: 'Running' });
  expect(readyOf(simulation)).toMatchObject({ status: 'True' });
});
