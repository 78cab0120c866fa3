/** Lists all levels of the flow, from the kubelet's loops down to Docker and CNI. */
import type { Level } from '../level.ts';
import { criLevels } from './cri.ts';
import { dockerLevels } from './docker.ts';
import { kubeletLevels } from './kubelet.ts';
import { kubeletSyncPodLevels } from './kubelet-sync-pod.ts';
import { kuberuntimeLevels } from './kuberuntime.ts';
import { sandboxLevels } from './sandbox.ts';

export const allLevels: readonly Level[] = [
  ...kubeletLevels,
  ...kubeletSyncPodLevels,
  ...kuberuntimeLevels,
  ...criLevels,
  ...sandboxLevels,
  ...dockerLevels,
];
