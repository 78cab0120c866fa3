/** Tests which parts of a container's CRI status reach the kubelet. */
import type { ContainerStatus } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import { newContainerLabels } from '../labels.ts';
import { runtimeGatesV136 } from '../profiles/gates.ts';
import { runtimeGatesV120 } from '../profiles/v1-20/gates.ts';
import { ActuatedResources } from '../resize/actuated-resources.ts';
import { testPod } from '../testing/test-stage.ts';
import { type StatusFacts, toStatus } from './convert.ts';

const criStatus = (status: Partial<ContainerStatus> = {}): ContainerStatus => ({
  id: 'c1',
  metadata: { name: 'app', attempt: 0 },
  state: 'CONTAINER_RUNNING',
  createdAt: 1n,
  startedAt: 2n,
  finishedAt: 0n,
  exitCode: 0,
  image: { image: 'busybox:1.36' },
  imageRef: 'busybox@sha256:d1',
  imageId: 'sha256:c1',
  reason: '',
  message: '',
  labels: newContainerLabels({ name: 'app' }, testPod()),
  annotations: {},
  mounts: [],
  logPath: '',
  ...status,
});

const v136: StatusFacts = { gates: runtimeGatesV136 };

describe('the status of a container', () => {
  it('has both the id and the reference of the image', () => {
    expect(toStatus('docker', criStatus(), v136)).toMatchObject({
      imageID: 'sha256:c1',
      imageRef: 'busybox@sha256:d1',
    });
  });

  it('takes the memory request, which no runtime reports, from what was last applied', () => {
    const actuated = new ActuatedResources();
    actuated.setContainer('uid-1', 'app', { requests: { cpu: '1', memory: '64Mi' }, limits: { memory: '1Gi' } });
    const linux = { cpuShares: 256, memoryLimitInBytes: 2 ** 27 };
    const status = toStatus('docker', criStatus({ resources: { linux } }), { ...v136, actuated });
    expect(status.resources).toEqual({ cpuRequest: 250, memoryLimit: 2 ** 27, memoryRequest: 2 ** 26 });
  });

  it.each([
    ['nothing', {}],
    ['only zeros', { resources: { linux: { cpuShares: 0, cpuPeriod: 100_000, cpuQuota: -1, memoryLimitInBytes: 0 } } }],
  ])('takes all resources from what was last applied when the runtime reports %s', (_, reported) => {
    const actuated = new ActuatedResources();
    actuated.setContainer('uid-1', 'app', { requests: { cpu: '1', memory: '64Mi' } });
    const status = toStatus('docker', criStatus(reported), { ...v136, actuated });
    expect(status.resources).toEqual({ cpuRequest: 1000, cpuLimit: 0, memoryRequest: 2 ** 26, memoryLimit: 0 });
    expect(toStatus('docker', criStatus(reported), v136).resources).toBeUndefined();
  });

  it('rounds a CPU limit down', () => {
    const linux = { cpuQuota: 33_399, cpuPeriod: 100_000 };
    expect(toStatus('docker', criStatus({ resources: { linux } }), v136).resources).toEqual({ cpuLimit: 333 });
  });

  it.each([
    ['the user of v1.36', runtimeGatesV136, { user: { linux: { uid: 7, gid: 8, supplementalGroups: [9] } } }],
    [
      'with the gate ContainerStopSignals, the stop signal',
      { ...runtimeGatesV120, ContainerStopSignals: true },
      { stopSignal: 'SIGUSR1' },
    ],
    ['neither in v1.20', runtimeGatesV120, {}],
  ])('has %s', (_, gates, expected) => {
    const user = { linux: { uid: 7, gid: 8, supplementalGroups: [9] } };
    const { user: shown, stopSignal } = toStatus('docker', criStatus({ user, stopSignal: 'SIGUSR1' }), { gates });
    expect({ ...(shown && { user: shown }), ...(stopSignal && { stopSignal }) }).toEqual(expected);
  });

  it('has no stop signal that the runtime does not know', () => {
    const gates = { ...runtimeGatesV136, ContainerStopSignals: true };
    expect(toStatus('docker', criStatus({ stopSignal: 'RUNTIME_DEFAULT' }), { gates })).not.toHaveProperty(
      'stopSignal',
    );
  });
});
