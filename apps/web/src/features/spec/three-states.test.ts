import { describe, expect, it } from 'vitest';
import { lineOfField, podYaml } from './pod-yaml.ts';
import { threeStates } from './three-states.ts';

const words = {
  running: 'running',
  waiting: (reason: string | undefined) => `waiting ${reason}`,
  ended: (code: number) => `ended ${code}`,
};

const object = {
  metadata: { name: 'web', generation: 2, resourceVersion: '7', managedFields: [{}] },
  spec: {
    containers: [
      {
        name: 'app',
        image: 'busybox:1.36',
        resources: { requests: { cpu: '500m', memory: '64Mi' }, limits: { memory: '128Mi' } },
      },
    ],
  },
};
const status = {
  phase: 'Running',
  observedGeneration: 1,
  containerStatuses: [
    {
      name: 'app',
      image: 'docker.io/library/busybox:1.36',
      ready: true,
      restartCount: 1,
      state: { running: {} },
      allocatedResources: { cpu: '0.5', memory: '32Mi' },
      resources: { requests: { cpu: '250m', memory: '32Mi' }, limits: { memory: '128Mi' } },
    },
  ],
};

describe('threeStates', () => {
  const [pod, app] = threeStates({ object, status }, words);
  const verdicts = (group: typeof pod) =>
    Object.fromEntries(group?.rows.map(({ field, verdict }) => [field, verdict]) ?? []);

  it('reports the state of each field', () => {
    expect(verdicts(pod)).toEqual({ generation: 'notObserved', phase: undefined });
    expect(verdicts(app)).toEqual({
      state: 'same',
      image: 'same',
      'resources.requests.cpu': 'notObserved',
      'resources.requests.memory': 'notAllocated',
      'resources.limits.memory': 'same',
      ready: 'same',
      restartCount: undefined,
    });
  });

  it('compares quantities by value', () => {
    expect(app?.rows.find(({ field }) => field === 'resources.requests.cpu')).toMatchObject({
      desired: '500m',
      allocated: '0.5',
      observed: '250m',
    });
  });

  it('returns nothing for a pod without an object', () => {
    expect(threeStates({ object: undefined, status: undefined }, words)).toEqual([]);
  });
});

describe('the pod as YAML', () => {
  const yaml = podYaml({ object, status });

  it('contains the newest status and no managed fields', () => {
    expect(yaml).toContain('phase: Running');
    expect(yaml).not.toContain('managedFields');
  });

  it.each([
    ['spec.containers[0].image', /^ +image: busybox/],
    ['status.containerStatuses[0].restartCount', /^ +restartCount: 1/],
    ['spec.containers[0].resources', /^ +resources:$/],
    ['spec.containers[0].livenessProbe.httpGet', /^ +- name: app/],
  ])('finds %s', (path, line) => {
    expect(yaml.split('\n')[(lineOfField(yaml, path) ?? 0) - 1]).toMatch(line);
  });
});
