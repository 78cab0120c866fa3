import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../field-error.ts';
import { containerPod, podData, soundPod } from '../testing/pods.ts';
import type { Pod, PodStatus } from '../types.ts';
import { type PodResizeGates, validatePodResize } from './pod-resize.ts';

type Data = Record<string, unknown>;

const resize = (next: Data, previous: Data, gates: PodResizeGates = {}): string[] =>
  validatePodResize(soundPod(next), soundPod(previous), gates).map(formatFieldError);
const sized = (resources: Data, spec: Data = {}, metadata: Data = {}): Data => {
  const { metadata: own, ...data } = containerPod({ resources }, spec);
  return { ...data, metadata: { ...(own as Data), ...metadata } };
};
const cpu = (value: string): Data => ({ requests: { cpu: value } });
const withInit = (container: Data): Data =>
  sized(cpu('1'), { initContainers: [{ name: 'i', image: 'i', ...container }] });
const podLevel = (resources: Data | undefined): Data => sized(cpu('1'), resources ? { resources } : {});

describe('validatePodResize', () => {
  it.each<[string, Data, Data, string[]]>([
    ['cpu', sized(cpu('2')), sized(cpu('1')), []],
    [
      'the cpu of one of two containers',
      podData({
        containers: [
          { name: 'a', image: 'a', resources: cpu('2') },
          { name: 'b', image: 'b' },
        ],
      }),
      podData({
        containers: [
          { name: 'a', image: 'a', resources: cpu('1') },
          { name: 'b', image: 'b' },
        ],
      }),
      [],
    ],
    [
      'a removed request',
      sized(cpu('1')),
      sized({ requests: { cpu: '1', memory: '1Gi' } }),
      ['spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed'],
    ],
    [
      'a removed request of another resource',
      sized(cpu('1')),
      sized({ requests: { cpu: '1', 'ephemeral-storage': '1Gi' } }),
      [
        'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
        'spec: Forbidden: only cpu and memory resources are mutable',
      ],
    ],
    [
      'another resource',
      sized({ requests: { cpu: '1', 'ephemeral-storage': '1Gi' } }),
      sized(cpu('1')),
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
    [
      'another field',
      sized(cpu('1'), { hostname: 'x' }),
      sized(cpu('1')),
      ['spec: Forbidden: only cpu and memory resources are mutable'],
    ],
    ['an ordinary init container', withInit({ resources: cpu('2') }), withInit({ resources: cpu('1') }), []],
    [
      'another resource of an init container',
      withInit({ resources: { requests: { cpu: '1', 'ephemeral-storage': '1Gi' } } }),
      withInit({ resources: cpu('1') }),
      ['spec.initContainers[0]: Forbidden: only cpu and memory resources for init or sidecar containers are mutable'],
    ],
    [
      'the name of a container',
      containerPod({ name: 'b' }),
      containerPod({}),
      ['spec.containers[0].name: Forbidden: containers may not be renamed or reordered on resize'],
    ],
    [
      'the number of containers',
      withInit({}),
      sized(cpu('1')),
      ['spec.initContainers: Forbidden: initContainers may not be added or removed on resize'],
    ],
    ['the cpu of the pod', podLevel({ requests: { cpu: '3' } }), podLevel({ requests: { cpu: '2' } }), []],
    ['added resources of the pod', podLevel({ requests: { cpu: '3' } }), podLevel(undefined), []],
    [
      'removed resources of the pod',
      podLevel(undefined),
      podLevel({ requests: { cpu: '2' } }),
      ['spec.resources: Forbidden: pod-level resources cannot be removed'],
    ],
    [
      'a removed request of the pod',
      podLevel({ requests: { cpu: '2' } }),
      podLevel({ requests: { cpu: '2', memory: '1Gi' } }),
      ['spec.resources.requests: Forbidden: pod-level resource requests cannot be removed'],
    ],
    [
      'a mirror pod',
      sized(cpu('2'), { nodeName: 'n' }, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      sized(cpu('1'), { nodeName: 'n' }, { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      [': Forbidden: static pods cannot be resized'],
    ],
    [
      'a pod for Windows',
      sized(cpu('2'), { os: { name: 'windows' } }),
      sized(cpu('1'), { os: { name: 'windows' } }),
      [': Forbidden: windows pods cannot be resized'],
    ],
  ])('returns the expected messages for a change of: %s', (_, next, previous, messages) => {
    expect(resize(next, previous)).toEqual(messages);
  });

  it('rejects any change of a pod that has claims of node allocatable resources', () => {
    const nodeAllocatableResourceClaimStatuses = [{ resourceClaimName: 'cpus', resources: { cpu: '1' } }];
    const previous = { ...soundPod(sized(cpu('1'))), status: { nodeAllocatableResourceClaimStatuses } };
    const message = 'spec: Forbidden: pods with node allocatable resource claims cannot be resized';
    expect(validatePodResize(soundPod(sized(cpu('2'))), previous).map(formatFieldError)).toEqual([message]);
    const none = { ...previous, status: { nodeAllocatableResourceClaimStatuses: [] } };
    expect(validatePodResize(soundPod(sized(cpu('2'))), none)).toEqual([]);
  });

  it('rejects an init container that would have to restart', () => {
    const pod = (value: string): Pod => {
      const { spec, ...rest } = soundPod(withInit({ resources: cpu(value) }));
      const [init] = spec.initContainers ?? [];
      const resizePolicy = [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }] as const;
      return { ...rest, spec: { ...spec, initContainers: init && [{ ...init, resizePolicy }] } };
    };
    expect(validatePodResize(pod('2'), pod('1')).map(formatFieldError)).toContain(
      'spec.initContainers[0]: Forbidden: non-sidecar init containers with a resize policy of RestartContainer ' +
        'cannot be resized',
    );
  });

  it('reports a changed QoS class with the class in the status', () => {
    const status: PodStatus = { qosClass: 'BestEffort' };
    const errors = validatePodResize({ ...soundPod(sized(cpu('1'))), status }, { ...soundPod(sized({})), status });
    expect(errors.map(formatFieldError)).toEqual([
      'spec: Invalid value: "BestEffort": Pod QOS Class may not change as a result of resizing',
    ]);
  });

  it('rejects a pod whose running container shows no resources', () => {
    const running = { name: 'app', ready: true, restartCount: 0, image: '', imageID: '', state: { running: {} } };
    const withStatus = (resources?: object) => ({
      ...soundPod(sized(cpu('1'))),
      status: { containerStatuses: [{ ...running, ...(resources && { resources }) }] },
    });
    const errors = (resources?: object): string[] =>
      validatePodResize(soundPod(sized(cpu('2'))), withStatus(resources)).map(formatFieldError);
    expect(errors({})).toEqual([]);
    expect(errors()).toEqual(['spec: Forbidden: Pod running on node without support for resize']);
  });

  it('rejects what a disabled gate forbids', () => {
    expect(
      resize(withInit({ resources: cpu('2') }), withInit({ resources: cpu('1') }), { initContainers: false }),
    ).toEqual(['spec: Forbidden: resources for non-sidecar init containers are immutable']);
    const podGate = { podLevelResources: false };
    expect(resize(podLevel({ requests: { cpu: '3' } }), podLevel({ requests: { cpu: '2' } }), podGate)).toEqual([
      ': Forbidden: resize of pods with pod-level resources is forbidden when ' +
        'InPlacePodLevelResourcesVerticalScalingEnabled feature gate is disabled',
    ]);
  });
});
