import { expect, it, onTestFinished } from 'vitest';
import { Simulation } from './simulation.ts';

const manifest = `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  containers:
    - name: app
      image: busybox:1.36
      command: [sleep, '3600']
      restartPolicy: Never
      restartPolicyRules: [{ action: RestartAllContainers, exitCodes: { operator: In, values: [42] } }]
`;
const feature = 'RestartAllContainersOnContainerExits';

it.each([
  ['v1.36', {}, true, 'Running', undefined],
  ['v1.36', { [feature]: false }, false, 'Failed', 'PodFeatureUnsupported'],
  ['v1.36', { [feature]: false, NodeDeclaredFeatures: false }, undefined, 'Running', undefined],
  ['v1.20', {}, undefined, 'Running', undefined],
] as const)(
  'a kubelet of %s with the gates %j declares the feature: %s; a pod that needs it is %s',
  async (profile, featureGates, isDeclared, phase, reason) => {
    const simulation = new Simulation({ profile, featureGates, simulator: { latencies: {} } });
    onTestFinished(() => simulation.stop());
    await simulation.start();
    const { api, commands, log } = simulation.nodeHost;
    expect((await commands.apply(manifest)).errors).toEqual([]);
    await simulation.clock.advance(10_000);
    const [node] = api.storage.list('Node');
    expect(node?.status?.declaredFeatures?.includes(feature)).toBe(isDeclared);
    const { status } = api.storage.mustGet('Pod', 'default', 'web');
    expect([status?.phase, status?.reason]).toEqual([phase, reason]);
    const decisions = log
      .after(0)
      .flatMap((event) => (event.type === 'decision' && event.rule === 'admission.declaredFeatures' ? [event] : []));
    expect(decisions.map(({ decisive }) => decisive)).toEqual(isDeclared === undefined ? [] : [!isDeclared]);
  },
);
