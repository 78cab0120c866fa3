import { expect, it } from 'vitest';
import type { CallMessage, CallRecord } from '../inputs.ts';
import { ObservedPodCache } from './pod-cache.ts';
import { ObjectRegistry } from './registry.ts';

const labels = {
  'io.kubernetes.pod.uid': 'u1',
  'io.kubernetes.pod.name': 'web',
  'io.kubernetes.pod.namespace': 'default',
};
const sandbox = {
  id: 's',
  metadata: { name: 'web', uid: 'u1', namespace: 'default' },
  state: 'SANDBOX_READY',
  labels,
  annotations: {},
};
const container = {
  id: 'c',
  podSandboxId: 's',
  metadata: { name: 'app' },
  createdAt: 0n,
  image: { image: 'busybox:1.36' },
  imageRef: 'sha256:1',
  state: 'CONTAINER_RUNNING',
  labels: { ...labels, 'io.kubernetes.container.name': 'app' },
  annotations: {},
};

it.each([
  [2_000, ['c']],
  [2_200, ['c']],
  [3_000, []],
])('%i ms after the list of running containers, a second kill in v1.20 stops %j', (later, stopped) => {
  const registry = new ObjectRegistry();
  const cache = new ObservedPodCache(registry);
  const list = (method: string, state: string | undefined, response: CallMessage, at: number): void => {
    const call: CallRecord = {
      number: 1,
      service: 'runtime.v1alpha2.RuntimeService',
      method,
      metadata: {},
      t: at,
      deadline: undefined,
      request: { filter: state === undefined ? {} : { state: { state } } },
      result: { end: at, response, status: 0, message: '' },
    };
    registry.learn(call, response);
    cache.apply(call, undefined);
  };
  list('ListPodSandbox', undefined, { items: [sandbox] }, 0);
  list('ListContainers', undefined, { containers: [container] }, 0);
  list('ListPodSandbox', 'SANDBOX_READY', { items: [sandbox] }, 1_000);
  list('ListContainers', 'CONTAINER_RUNNING', { containers: [container] }, 1_000);
  // The kubelet refreshes its runtime cache only after it has decided to kill the pod again.
  list('ListPodSandbox', 'SANDBOX_READY', { items: [] }, 1_000 + later - 10);
  list('ListContainers', 'CONTAINER_RUNNING', { containers: [] }, 1_000 + later - 10);
  expect(cache.running('u1', 1_000 + later)?.containers.map(({ id }) => id.id)).toEqual(stopped);
});

it('takes no status from a read of a container after the inspection, as by the rotation of logs', () => {
  const registry = new ObjectRegistry();
  const cache = new ObservedPodCache(registry);
  let at = 0;
  const answer = (method: string, request: CallMessage, response: CallMessage): void => {
    const base = { number: ++at, service: 'runtime.v1.RuntimeService', metadata: {}, t: at, deadline: undefined };
    const call = { ...base, method, request, result: { end: at, response, status: 0, message: '' } };
    registry.learn(call, response);
    cache.apply(call, method.startsWith('List') ? undefined : 'kubelet');
  };
  const read = (state: string): void =>
    answer('ContainerStatus', { containerId: 'c' }, { status: { ...container, state, startedAt: 0n, finishedAt: 0n } });
  const inspect = (): void => answer('PodSandboxStatus', { podSandboxId: 's' }, { status: sandbox });
  const states = (): readonly string[] => cache.at('u1', at)?.containerStatuses.map(({ state }) => state) ?? [];
  answer('ListPodSandbox', {}, { items: [sandbox] });
  answer('ListContainers', {}, { containers: [container] });
  inspect();
  read('CONTAINER_RUNNING');
  expect(states()).toEqual(['running']);
  read('CONTAINER_EXITED');
  expect(states()).toEqual(['running']);
  inspect();
  read('CONTAINER_EXITED');
  expect(states()).toEqual(['exited']);
});
