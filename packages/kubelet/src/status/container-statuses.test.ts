/** Tests the parts of a container's status that come from the runtime unchanged. */
import type { ContainerStatus } from '@podscope/k8s';
import type { Status } from '@podscope/kuberuntime';
import { instant } from '@podscope/trace';
import { expect, it } from 'vitest';
import { featureGatesV136 } from '../features.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { containerStatusV136, convertToAPIContainerStatuses } from './container-statuses.ts';

const user = { linux: { uid: 1000, gid: 3000, supplementalGroups: [3000] } };
const volumeMounts = [{ name: 'data', mountPath: '/data' }];
const pod = newPod('web', { containers: [{ name: 'app', image: 'busybox', volumeMounts }] });
const runtime: Status = {
  id: { type: 'docker', id: 'c1' },
  name: 'app',
  state: 'running',
  createdAt: instant(0),
  startedAt: instant(1000),
  exitCode: 0,
  image: 'busybox:1.36',
  imageID: 'sha256:c1',
  imageRef: 'busybox@sha256:d1',
  hash: 0,
  restartCount: 0,
  reason: '',
  message: '',
  user,
  stopSignal: 'SIGUSR1',
};

/** Returns the status of the container, given its status in the runtime and its previous status, if it has them. */
const statusOf = (
  containerStatuses: readonly Status[],
  previous: readonly ContainerStatus[] = [],
): ContainerStatus | undefined =>
  convertToAPIContainerStatuses({
    profile: containerStatusV136,
    pod,
    podStatus: {
      id: 'uid-web',
      name: 'web',
      namespace: 'default',
      ips: [],
      containerStatuses,
      activeContainerStatuses: containerStatuses,
      sandboxStatuses: [],
      timestamp: instant(0),
    },
    containers: pod.spec.containers,
    previous,
    kind: 'container',
    restartingAll: false,
    reasons: { get: () => undefined },
    gates: featureGatesV136,
  })[0];

it('shows the reference of the image as imageID, and the user and stop signal that the runtime reports', () => {
  expect(statusOf([runtime])).toMatchObject({ imageID: 'busybox@sha256:d1', user, stopSignal: 'SIGUSR1' });
});

it('shows the volume mounts of the spec before a container exists, and then those of the previous status', () => {
  const waiting = statusOf([]);
  expect(waiting).toMatchObject({ volumeMounts });
  expect(statusOf([runtime], waiting && [waiting])).toMatchObject({ volumeMounts });
  // For example after a restart of the kubelet, which has no status of a static pod.
  expect(statusOf([runtime])).not.toHaveProperty('volumeMounts');
});
