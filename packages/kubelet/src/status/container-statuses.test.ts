/** Tests the parts of a container's status that come from the runtime unchanged. */
import { instant } from '@podscope/trace';
import { expect, it } from 'vitest';
import { featureGatesV136 } from '../features.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { containerStatusV136, convertToAPIContainerStatuses } from './container-statuses.ts';

it('shows the reference of the image as imageID, and the user and stop signal that the runtime reports', () => {
  const pod = newPod('web');
  const user = { linux: { uid: 1000, gid: 3000, supplementalGroups: [3000] } };
  const runtime = {
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
  } as const;
  const [status] = convertToAPIContainerStatuses({
    profile: containerStatusV136,
    pod,
    podStatus: {
      id: 'uid-web',
      name: 'web',
      namespace: 'default',
      ips: [],
      containerStatuses: [runtime],
      activeContainerStatuses: [runtime],
      sandboxStatuses: [],
      timestamp: instant(0),
    },
    containers: pod.spec.containers,
    previous: [],
    kind: 'container',
    restartingAll: false,
    reasons: { get: () => undefined },
    gates: featureGatesV136,
  });
  expect(status).toMatchObject({ imageID: 'busybox@sha256:d1', user, stopSignal: 'SIGUSR1' });
});
