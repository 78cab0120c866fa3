import { expect, it } from 'vitest';
import { readOwnScenario } from './own-scenario.ts';
import { logTextOf, playThrough } from './whole-run/index.ts';

const read = (act: object) =>
  readOwnScenario({
    id: 'own',
    manifest: `
apiVersion: v1
kind: Pod
metadata: { name: own }
spec:
  containers: [{ name: app, image: 'busybox:1.36', command: [sleep, '3600'] }]
`,
    acts: [{ at: 10, ...act }],
    duration: 60,
  });

it('shuts the node down with the act shutdownNode, twice in the same way', async () => {
  const { scenario, error } = read({ do: 'shutdownNode', gracePeriod: 20, criticalGracePeriod: 5 });
  if (!scenario) throw error;
  const first = await playThrough(scenario, 'v1.36');
  expect(first.events.filter((event) => event.type === 'decision' && event.rule === 'nodeShutdown.terminate')).toEqual([
    expect.objectContaining({ outcome: 'with a grace period of 15 s' }),
  ]);
  expect(logTextOf(await playThrough(scenario, 'v1.36'))).toBe(logTextOf(first));
});

it('reports an act without its members', () => {
  expect(read({ do: 'shutdownNode' }).error?.issues.map(({ path }) => path)).toEqual([['acts', 0, 'gracePeriod']]);
});
