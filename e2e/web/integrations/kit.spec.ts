/** Tests the Playwright kit in the way in which its documentation uses it. */
import {
  expect,
  type SimulatedImage,
  type SimulatedRegistry,
  type SimulationDocument,
  test,
} from '@podscope/playwright';
import type { Scenario } from '@podscope/scenarios';

const manifest =
  'apiVersion: v1\nkind: Pod\nmetadata: {name: kit}\nspec: {containers: [{name: app, image: "busybox:1.36", ' +
  'command: [sleep, "600"]}]}\n';

test('drives a scenario in virtual time', async ({ podscope }) => {
  await podscope.playScenario('crash-loop', { seed: 3, paused: true });
  const pod = podscope.pod('crash-loop');
  await podscope.advance('12s');
  await expect(pod).toReachPhase('Running');
  await expect(pod).toReachPhase('Pending');
  await expect(pod).toBeInBackOff({ container: 'app', seconds: 10 });
  await expect(pod).toHaveSyncResult({ action: 'StartContainer', target: 'app', error: 'CrashLoopBackOff' });
  await expect(pod).toHaveEvent({ type: 'Warning', reason: 'BackOff', message: /restarting failed container app/ });
  await expect(pod).toHaveRestarted(1);
  await expect(pod).toShowStatus(/Error|CrashLoopBackOff/);
  await expect(pod).not.toReachPhase('Failed');
  await expect(pod).not.toBeReady();

  // The page object must show the same as the page.
  await expect(podscope.ui.pod('crash-loop')).toHaveAccessibleName(/0\/1 ready, 1 restart/);
  await expect(podscope.ui.onTimeline(/^app, back-off 10s/)).toBeAttached();
  await expect(podscope.ui.notes).toBeVisible();
  await expect(await podscope.ui.tab('Results')).toContainText('CrashLoopBackOff');

  // A failed assertion reports the state of the pod.
  const soon = { timeout: 100 };
  await expect(expect(pod).toBeInBackOff({ container: 'app', seconds: 20, ...soon })).rejects.toThrow(
    /to be in back-off of 20 s with container app within 100 ms, but app is in container back-off of 10 s:\nphase Running.* after 12.00 s\n {2}app: exited, attempt 1, exit code 1, container back-off 10 s\n[^]* 2\.\d\d s {2}app: attempt 0 ended with exit code 1\n[^]* 6\.00 s {2}sync 6: StartContainer app: CrashLoopBackOff: /,
  );
  await expect(expect(pod).not.toReachPhase('Running', soon)).rejects.toThrow(
    'expected pod default/crash-loop not to reach phase Running',
  );
  await expect(expect(podscope.pod('crush')).not.toReachPhase('Running', soon)).rejects.toThrow(
    'there is no such pod; there are default/crash-loop',
  );
  await expect(expect(pod).toHaveBackedOff({ seconds: 20, ...soon })).rejects.toThrow(
    'to have backed off for 20 s within 100 ms, but app waited 10 s:',
  );
  await expect(expect(pod).toBeInBackOff({ container: 'web', ...soon })).rejects.toThrow(
    'but it has no container web; it has app',
  );
  await expect(
    expect(pod).toHaveSyncResult({ action: 'StartContainer', error: 'RunContainerError' }, soon),
  ).rejects.toThrow('its results of StartContainer are app ok, app ok, app CrashLoopBackOff');
  await expect(podscope.breakpoints.set([{ point: 'cri.StartContaner' }])).rejects.toThrow(
    'no point cri.StartContaner',
  );
  await expect(podscope.stepOver(pod)).rejects.toThrow('is not stopped');
  await expect(podscope.command({ command: 'dance' })).rejects.toThrow('not understood');
  await podscope.advance('2m');
  await expect(pod).toHaveBackedOff({ container: 'app', seconds: 20 });
  await expect(podscope.playScenario('crash-lop')).rejects.toThrow('There is no scenario "crash-lop"');
});

test('stops at a point and injects failures', async ({ podscope }) => {
  await podscope.playScenario('one-container', { paused: true });
  const pod = podscope.pod('one-container');
  await podscope.breakpoints.set([{ point: 'cri.StartContainer' }]);
  // At this speed the page can't draw every state, but its state must be consistent whenever it is read.
  await podscope.resume(1_000);
  await expect(pod).toBeStoppedAt('cri.StartContainer');
  await expect(podscope.ui.inspector).toBeVisible();
  await podscope.pause();
  await podscope.resume(10);
  await podscope.faults.set([
    { at: 'cri.StartContainer', times: 1, fail: { grpc: 'Internal', message: 'injected by a test' } },
  ]);
  await podscope.breakpoints.set([]);
  await podscope.continue();
  await expect(pod).toReachPhase('Running');
  await expect(pod).toHaveEvent({ reason: 'Failed', message: 'injected by a test' });
});

test('applies a manifest to the server’s node', async ({ podscope }) => {
  await podscope.open();
  await podscope.apply(manifest);
  await podscope.runUntil({ pod: 'kit', ready: true });
  await expect(podscope.ui.pod('kit')).toHaveAccessibleName(/1\/1 ready/);
  await expect(
    podscope.apply('apiVersion: v1\nkind: Pod\nmetadata: {name: BAD}\nspec: {containers: []}\n'),
  ).rejects.toThrow(/spec.containers|metadata.name/);
});

test('has a node in the page on virtual time', async ({ podscope }) => {
  await podscope.openAlone({ speed: 1_000 });
  await podscope.apply(manifest);
  const pod = podscope.pod('kit');
  await expect(pod).toReachPhase('Running');
  await podscope.command({ command: 'deletePod', namespace: 'default', name: 'kit' });
  await expect(pod).toBeGone();
});

// This example is word for word in docs/use/playwright.md.
test('a crash loop waits ten seconds first', async ({ podscope }) => {
  await podscope.playScenario('crash-loop', { seed: 3, paused: true });
  const pod = podscope.pod('crash-loop');
  await podscope.advance('12s');
  await expect(pod).toBeInBackOff({ container: 'app', seconds: 10 });
});

test('the page shows a stop', async ({ podscope }) => {
  await podscope.playScenario('one-container', { paused: true });
  await podscope.breakpoints.set('cri.StartContainer');
  await podscope.runUntil({ pod: 'one-container', stoppedAt: 'cri.StartContainer' });
  await expect(podscope.ui.callStack.first()).toContainText('StartContainer');
});

/**
 * The kit declares the settings of a simulation itself, because it doesn't depend on the scenarios package. This
 * assignment lets the compiler check that both types agree.
 */
type Simulator = NonNullable<Scenario['simulator']>;
type Registry = NonNullable<Simulator['registries']>[number];
type Same<A, B> = [A, B] extends [B, A] ? true : never;
const isSame: readonly [
  Same<keyof Simulator | 'scripts' | 'seed', keyof SimulationDocument>,
  Same<keyof Registry, keyof SimulatedRegistry>,
  Same<Registry, SimulatedRegistry>,
  Same<NonNullable<Registry['otherRepositories']>, SimulatedImage>,
  Same<keyof NonNullable<Simulator['faults']>[number], keyof NonNullable<SimulationDocument['faults']>[number]>,
] = [true, true, true, true, true];

test('reports the properties of the page’s own node', async ({ podscope }) => {
  expect(isSame).not.toContain(false);
  await podscope.openAlone({
    paused: true,
    simulation: {
      ipRange: '10.1.0.0/30',
      scripts: { 'kit/app': 'exit=3 after=2s' },
      registries: [{ host: 'docker.io', latency: '5s' }],
      images: [],
    },
  });
  await podscope.apply(manifest);
  await podscope.advance('4s');
  await expect(podscope.pod('kit')).toShowStatus('ContainerCreating');
  await podscope.advance('6s');
  await expect(podscope.pod('kit')).toHaveRestarted(1);
  await podscope.playScenario('one-container', {
    paused: true,
    simulation: { faults: [{ operation: 'CNI ADD', message: 'no plugin' }] },
  });
  await podscope.advance('1s');
  await expect(podscope.pod('one-container')).toHaveEvent({ reason: 'FailedCreatePodSandBox', message: /no plugin/ });
});
