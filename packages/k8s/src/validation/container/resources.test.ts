import { describe, expect, it } from 'vitest';
import { containerPod, messagesOf, podData } from '../../testing/pods.ts';

type Row = readonly [title: string, resources: Record<string, unknown>, messages: readonly string[]];

const r = 'spec.containers[0].resources';

describe('container resources', () => {
  it.each<Row>([
    [
      'request above limit',
      { requests: { cpu: '500m' }, limits: { cpu: '200m' } },
      [`${r}.requests: Invalid value: "500m": must be less than or equal to cpu limit of 200m`],
    ],
    [
      'memory request above limit',
      { requests: { memory: '1Gi' }, limits: { memory: '512Mi' } },
      [`${r}.requests: Invalid value: "1Gi": must be less than or equal to memory limit of 512Mi`],
    ],
    [
      'negative',
      { limits: { memory: '-1Mi' }, requests: { memory: '-2Mi' } },
      [
        `${r}.limits[memory]: Invalid value: "-1Mi": must be greater than or equal to 0`,
        `${r}.requests[memory]: Invalid value: "-2Mi": must be greater than or equal to 0`,
      ],
    ],
    [
      'unknown name',
      { limits: { cpus: 1 } },
      [
        `${r}.limits[cpus]: Invalid value: "cpus": must be a standard resource type or fully qualified`,
        `${r}.limits[cpus]: Invalid value: "cpus": must be a standard resource for containers`,
        `${r}.requests[cpus]: Invalid value: "cpus": must be a standard resource type or fully qualified`,
        `${r}.requests[cpus]: Invalid value: "cpus": must be a standard resource for containers`,
      ],
    ],
    [
      'resource name of a quota',
      { requests: { pods: 1 } },
      [`${r}.requests[pods]: Invalid value: "pods": must be a standard resource for containers`],
    ],
    [
      'fraction of a device',
      { limits: { 'nvidia.com/gpu': '500m' } },
      [
        `${r}.limits[nvidia.com/gpu]: Invalid value: "500m": must be an integer`,
        `${r}.requests[nvidia.com/gpu]: Invalid value: "500m": must be an integer`,
      ],
    ],
    [
      'device request without limit',
      { requests: { 'nvidia.com/gpu': 1 } },
      [`${r}.limits: Required value: Limit must be set for non overcommitable resources`],
    ],
    [
      'device request below limit',
      { requests: { 'nvidia.com/gpu': 1 }, limits: { 'nvidia.com/gpu': 2 } },
      [`${r}.requests: Invalid value: "1": must be equal to nvidia.com/gpu limit of 2`],
    ],
    ['huge pages alone', { limits: { 'hugepages-2Mi': '4Mi' } }, [`${r}: Forbidden: HugePages require cpu or memory`]],
    [
      'part of a huge page',
      { limits: { 'hugepages-2Mi': '3Mi', memory: '1Gi' } },
      [
        `${r}.limits[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
        `${r}.requests[hugepages-2Mi]: Invalid value: "3Mi": 3Mi is not positive integer multiple of hugepages-2Mi`,
      ],
    ],
    [
      'unreadable quantity',
      { limits: { memory: '1GiB' } },
      [
        `${r}.limits[memory]: Invalid value: "1GiB": quantities must match the regular expression ` +
          `'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`,
      ],
    ],
    [
      'wrong suffix',
      { limits: { cpu: '100K' } },
      [`${r}.limits[cpu]: Invalid value: "100K": unable to parse quantity's suffix`],
    ],
    [
      'quantity of the wrong type',
      { limits: { cpu: true } },
      [`${r}.limits[cpu]: Invalid value: "boolean": ${r}.limits[cpu] in body must be of type string: "boolean"`],
    ],
    ['sound', { requests: { cpu: 0.5, memory: '64Mi' }, limits: { cpu: 1, memory: '128Mi' } }, []],
  ])('returns the expected messages for: %s', (_, resources, messages) => {
    expect(messagesOf(containerPod({ resources }))).toEqual(messages);
  });
});

describe('pod-level resources and overhead', () => {
  it.each<Row>([
    [
      'less than the requests of the containers',
      {
        resources: { requests: { cpu: '100m' } },
        containers: [{ name: 'a', image: 'a', resources: { requests: { cpu: '200m' } } }],
      },
      [
        'spec.resources.requests[cpu]: Invalid value: "100m": must be greater than or equal to aggregate ' +
          'container requests of 200m',
      ],
    ],
    [
      'a container above the pod',
      {
        resources: { limits: { cpu: '1' } },
        containers: [{ name: 'a', image: 'a', resources: { limits: { cpu: '2' }, requests: { cpu: '1' } } }],
      },
      ['spec.containers[0].resources.limits[cpu]: Invalid value: "2": must be less than or equal to pod limits of 1'],
    ],
    [
      'an unsupported pod-level resource',
      { resources: { requests: { 'ephemeral-storage': '1Gi' } } },
      [
        'spec.resources.requests[ephemeral-storage]: Unsupported value: "ephemeral-storage": supported ' +
          'values: "cpu", "hugepages-", "memory"',
      ],
    ],
    [
      'negative overhead',
      { overhead: { cpu: '-1' } },
      ['spec.overhead[cpu]: Invalid value: "-1": must be greater than or equal to 0'],
    ],
  ])('returns the expected messages for: %s', (_, spec, messages) => {
    expect(messagesOf(podData(spec))).toEqual(messages);
  });
});
