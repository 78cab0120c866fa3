import { expect, it, onTestFinished } from 'vitest';
import { Simulation } from './simulation.ts';

const manifest = `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  securityContext: { supplementalGroupsPolicy: Strict }
  containers: [{ name: app, image: busybox:1.36, command: [sleep, '3600'] }]
`;

it.each([
  ['v1.36', { supplementalGroupsPolicy: false }, 'Failed', 'SupplementalGroupsPolicyNotSupported'],
  ['v1.20', undefined, 'Running', undefined],
] as const)(
  'a kubelet of %s on a runtime without strict groups reports the features %j; a pod that needs them is %s',
  async (profile, features, phase, reason) => {
    const simulation = new Simulation({ profile, simulator: { latencies: {} } });
    onTestFinished(() => simulation.stop());
    await simulation.start();
    const { api, commands } = simulation.nodeHost;
    expect((await commands.apply(manifest)).errors).toEqual([]);
    await simulation.clock.advance(15_000);
    expect(api.storage.list('Node')[0]?.status?.features).toEqual(features);
    const { status } = api.storage.mustGet('Pod', 'default', 'web');
    expect([status?.phase, status?.reason]).toEqual([phase, reason]);
  },
);
