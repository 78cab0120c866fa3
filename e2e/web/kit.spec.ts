/** The Playwright kit, as its documentation uses it. */
import { expect, test } from '@podscope/playwright';

test('drives a scenario in virtual time', async ({ podscope }) => {
  await podscope.playScenario('crash-loop', { seed: 3, paused: true });
  const pod = podscope.pod('crash-loop');
  await podscope.time.step(12_000);
  await expect(pod).toReachPhase('Running');
  await expect(pod).toBeInBackOff({ container: 'app', seconds: 10 });
  await expect(pod).toHaveSyncResult({ action: 'StartContainer', target: 'app', error: 'CrashLoopBackOff' });
  await expect(pod).not.toReachPhase('Failed', { timeout: 500 });
});

test('stops at a point and orders failures', async ({ podscope }) => {
  await podscope.playScenario('one-container', { paused: true });
  const [scenario] = [podscope.pod('one-container')];
  await podscope.debug.setBreakpoints([{ point: 'cri.StartContainer' }]);
  await podscope.time.resume(10);
  await expect(scenario).toBeStoppedAt('cri.StartContainer');
  await podscope.setFaults([{ at: 'cri.StartContainer', times: 1, fail: { grpc: 'Internal', message: 'injected by a test' } }]);
  await podscope.debug.setBreakpoints([]);
  await podscope.debug.continue();
  await expect(scenario).toReachPhase('Running', { timeout: 40_000 });
});

test('applies a manifest to the server’s node', async ({ podscope }) => {
  await podscope.open();
  await podscope.apply('apiVersion: v1\nkind: Pod\nmetadata: {name: kit}\nspec: {containers: [{name: app, image: "busybox:1.36", command: [sleep, "600"]}]}\n');
  await expect(podscope.pod('kit')).toReachPhase('Running');
  await expect(podscope.apply('apiVersion: v1\nkind: Pod\nmetadata: {name: BAD}\nspec: {containers: []}\n')).rejects.toThrow(/spec.containers|metadata.name/);
});
