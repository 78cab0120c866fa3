/** Tests which exits restart all containers of a pod. */
import type { ContainerStatus } from '@podscope/k8s';
import { instant } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { featureGatesV136 } from '../features.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { shouldAllContainersRestart } from './restart-all-containers.ts';

const restartPolicyRules = [{ action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } }] as const;
const pod = newPod('web', {
  containers: [{ name: 'app', image: 'busybox', restartPolicy: 'Never', restartPolicyRules }],
});

const exitedBefore = (exitCode: number): ContainerStatus => ({
  name: 'app',
  ready: false,
  restartCount: 0,
  image: '',
  imageID: '',
  state: { terminated: { exitCode } },
});

describe('all containers restart', () => {
  it.each([
    ['when the runtime reports an exit that matches the rule', 42, 0, true],
    ['when the old status has such an exit and the runtime reports another one', 1, 42, true],
    ['not after other exits', 1, 0, false],
    ['not when only the old status has such an exit', undefined, 42, false],
  ])('%s', (_, runtimeCode, oldCode, expected) => {
    const status = {
      id: { type: 'docker', id: 'c1' },
      name: 'app',
      state: 'exited',
      createdAt: instant(0),
      exitCode: runtimeCode ?? 0,
      image: '',
      imageID: '',
      imageRef: '',
      hash: 0,
      restartCount: 0,
      reason: '',
      message: '',
    } as const;
    const podStatus = {
      id: 'uid-web',
      name: 'web',
      namespace: 'default',
      ips: [],
      containerStatuses: runtimeCode === undefined ? [] : [status],
      activeContainerStatuses: [],
      sandboxStatuses: [],
      timestamp: instant(0),
    };
    const old = { containerStatuses: [exitedBefore(oldCode)] };
    expect(shouldAllContainersRestart(pod, podStatus, old, featureGatesV136)).toBe(expected);
  });

  it('when only the old status is known and has such an exit', () => {
    const old = { containerStatuses: [exitedBefore(42)] };
    expect(shouldAllContainersRestart(pod, undefined, old, featureGatesV136)).toBe(true);
  });
});
