import { describe, expect, it } from 'vitest';
import { podData, soundPod } from '../testing/pods.ts';
import type { Pod } from '../types.ts';
import { computePodQOS, getPodQOS } from './qos.ts';
import { formatQuantity } from './quantity.ts';
import { cpuMilli, memoryBytes, podLimits, podRequests, type ResourceQuantities } from './resources.ts';

function textOf(quantities: ResourceQuantities): Record<string, string> {
  return Object.fromEntries([...quantities].map(([name, quantity]) => [name, formatQuantity(quantity)]));
}

function container(
  name: string,
  requests: Record<string, string>,
  more: Record<string, unknown> = {},
): Record<string, unknown> {
  return { name, image: 'a', resources: { requests }, ...more };
}

describe('podRequests', () => {
  it('adds up containers and sidecars, and counts an init container only if it needs more', () => {
    const pod = soundPod(
      podData({
        containers: [container('a', { cpu: '1' }), container('b', { cpu: '500m', memory: '1Gi' })],
        initContainers: [
          container('early', { cpu: '5', memory: '100Mi' }),
          container('sidecar', { cpu: '2', memory: '1Gi' }, { restartPolicy: 'Always' }),
          container('late', { cpu: '4' }),
        ],
        overhead: { cpu: '10m' },
      }),
    );
    // The containers that run together request 1 + 0.5 + 2 = 3.5. During initialization, `early` needs 5; after it,
    // `late` and the sidecar need 4 + 2 = 6.
    expect(textOf(podRequests(pod))).toEqual({ cpu: '6010m', memory: '2Gi' });
    expect(textOf(podRequests(pod, { excludeOverhead: true }))).toEqual({ cpu: '6', memory: '2Gi' });
  });

  it('uses pod-level resources if they are set', () => {
    const pod = soundPod(
      podData({ containers: [container('a', { cpu: '1', memory: '1Gi' })], resources: { requests: { cpu: '3' } } }),
    );
    expect(textOf(podRequests(pod))).toEqual({ cpu: '3', memory: '1Gi' });
    expect(textOf(podRequests(pod, { skipPodLevelResources: true }))).toEqual({ cpu: '1', memory: '1Gi' });
  });
});

describe('podLimits', () => {
  it('adds overhead only to existing limits', () => {
    const pod = soundPod(
      podData({
        containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: '1' } } }],
        overhead: { cpu: '100m', memory: '1Mi' },
      }),
    );
    expect(textOf(podLimits(pod))).toEqual({ cpu: '1100m' });
  });
});

describe('resource lists', () => {
  it('convert CPU and memory to numbers', () => {
    expect(cpuMilli({ cpu: '1500m' })).toBe(1500);
    expect(memoryBytes({ memory: '1Ki' })).toBe(1024);
    expect(cpuMilli(undefined)).toBe(0);
    expect(memoryBytes({})).toBe(0);
  });
});

const qos = (spec: Record<string, unknown>): string => computePodQOS(soundPod(podData(spec)));
const withResources = (...resources: readonly Record<string, unknown>[]): Record<string, unknown> => ({
  containers: resources.map((own, index) => ({ name: `c${index}`, image: 'a', resources: own })),
});

describe('quality of service', () => {
  const full = { limits: { cpu: '1', memory: '1Gi' } };

  it.each([
    ['nothing', withResources({}), 'BestEffort'],
    ['only zeros', withResources({ requests: { cpu: '0', memory: '0' } }), 'BestEffort'],
    ['only storage', withResources({ requests: { 'ephemeral-storage': '1Gi' } }), 'BestEffort'],
    ['all limits', withResources(full), 'Guaranteed'],
    ['one container without resources', withResources(full, {}), 'Burstable'],
    ['request below limit', withResources({ ...full, requests: { cpu: '500m' } }), 'Burstable'],
    ['only cpu', withResources({ limits: { cpu: '1' } }), 'Burstable'],
    [
      'init container without resources',
      { ...withResources(full), initContainers: [{ name: 'i', image: 'a' }] },
      'Burstable',
    ],
    ['pod-level resources only', { ...withResources({}), resources: full }, 'Guaranteed'],
    ['pod-level resources without memory', { ...withResources({}), resources: { limits: { cpu: '1' } } }, 'Burstable'],
  ])('computes the class for %s', (_, spec, expected) => {
    expect(qos(spec)).toBe(expected);
  });

  it('prefers the class in the status', () => {
    const pod: Pod = { ...soundPod(podData()), status: { qosClass: 'Guaranteed' } };
    expect(getPodQOS(pod)).toBe('Guaranteed');
  });
});
