import type { Container, Node, Pod } from '@podscope/k8s';
import { VirtualClock } from '@podscope/trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { ApiServer } from '../api-server.ts';
import { baselinePolicy } from './pod-security/policy.ts';

const node = (labels: Readonly<Record<string, string>> = {}): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'node', uid: 'n1', labels },
  spec: {},
  status: { allocatable: { cpu: '4', memory: '8Gi' } },
});

const container = (resources: Container['resources'], name = 'app'): Container => ({
  name,
  image: 'busybox:1.36',
  resources,
});

describe('a resize', () => {
  let api: ApiServer;

  beforeEach(() => {
    api = new ApiServer({
      clock: new VirtualClock(),
      random: () => 0.5,
      nodeName: 'node',
      policy: baselinePolicy,
      onPersistence: () => undefined,
    });
    api.createDefaultObjects();
    api.registry.create('Pod', 'default', {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web', uid: '' },
      spec: { containers: [container({ requests: { cpu: '1', memory: '1Gi' } })] },
    });
  });

  const change = (edit: (pod: Pod) => Pod): Pod =>
    api.registry.update('Pod', 'default', 'web', edit, { subresource: 'resize' });
  const withSpec = (spec: Partial<Pod['spec']>): Pod => change((pod) => ({ ...pod, spec: { ...pod.spec, ...spec } }));
  const request = (cpu: string, memory: string): Pod =>
    withSpec({ containers: [container({ requests: { cpu, memory } })] });

  it('is granted up to the resources that pods can use on the node', () => {
    api.storage.create('Node', node({ 'kubernetes.io/os': 'linux' }));
    expect(request('4', '8Gi').spec.containers[0]?.resources?.requests).toEqual({ cpu: '4', memory: '8Gi' });
  });

  it.each([
    ['4500m', '1Gi', 'cpu, requested: 4500, allocatable: 4000'],
    ['5', '9Gi', 'cpu, requested: 5000, allocatable: 4000; memory, requested: 9663676416, allocatable: 8589934592'],
  ])('to %s cpu and %s memory is forbidden, because the node has less', (cpu, memory, lacking) => {
    api.storage.create('Node', node());
    const message = `pods "web" is forbidden: node didn't have enough allocatable resources: ${lacking}`;
    expect(() => request(cpu, memory)).toThrow(
      expect.objectContaining({
        code: 403,
        message,
        details: expect.objectContaining({ causes: [{ reason: 'NodeCapacity' }] }),
      }),
    );
  });

  it('is forbidden on a node with another operating system', () => {
    api.storage.create('Node', node({ 'kubernetes.io/os': 'windows' }));
    const message = 'pods "web" is forbidden: pod resize is only supported on linux nodes, node "node" is "windows"';
    expect(() => request('2', '1Gi')).toThrow(message);
  });

  it('is forbidden without the node, unless it changes nothing', () => {
    expect(() => request('2', '1Gi')).toThrow('pods "web" is forbidden: node "node" not found');
    expect(request('1', '1Gi').metadata.generation).toBe(1);
  });

  it('changes neither labels nor other fields of containers', () => {
    api.storage.create('Node', node());
    const changed = change((pod) => ({
      ...pod,
      metadata: { ...pod.metadata, labels: { a: 'b' } },
      spec: {
        ...pod.spec,
        hostname: 'other',
        containers: [{ ...container({ requests: { cpu: '2', memory: '1Gi' } }), image: 'nginx' }],
      },
    }));
    expect(changed.metadata.labels).toBeUndefined();
    expect(changed.spec.hostname).toBeUndefined();
    expect(changed.spec.containers[0]).toMatchObject({ image: 'busybox:1.36', resources: { requests: { cpu: '2' } } });
  });

  it('changes the resources of the pod', () => {
    api.storage.create('Node', node());
    const resized = withSpec({ resources: { requests: { cpu: '2', memory: '2Gi' } } });
    expect(resized.spec.resources?.requests).toEqual({ cpu: '2', memory: '2Gi' });
  });

  it('that adds a container also reports the errors of fields that a resize ignores', () => {
    api.storage.create('Node', node());
    const containers = [container({ requests: { cpu: '1', memory: '1Gi' } }), container({}, 'other')];
    const act = () => withSpec({ containers, hostname: 'not_valid' });
    expect(act).toThrow('spec.hostname: Invalid value: "not_valid"');
    expect(act).toThrow('spec.containers: Forbidden: containers may not be added or removed on resize');
  });

  it('with another container is invalid', () => {
    api.storage.create('Node', node());
    expect(() => withSpec({ containers: [container({}, 'other')] })).toThrow(
      'spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize',
    );
  });
});
