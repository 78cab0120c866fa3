/** Composes the kubelet of v1.36 from the profiles of its parts. */
import { profileV136 as runtime } from '@podscope/kuberuntime';
import { featureGatesV136 } from '../../features.ts';
import { imageClientV136 } from '../../images/image-client.ts';
import { plegV136 } from '../../pleg/generic-pleg.ts';
import { probeProfileV136 } from '../../prober/probe-profile.ts';
import { generateAPIPodStatus } from '../../status/generate-api-pod-status.ts';
import { statusManagerV136 } from '../../status/manager/status-manager-profile.ts';
import { volumesV136 } from '../../volumes/volume-profile.ts';
import type { KubeletProfile } from '../kubelet-profile.ts';
import { createPodWorkV136 } from './pod-work.ts';

export const kubeletProfileV136: KubeletProfile = {
  name: 'v1.36',
  runtime,
  gates: featureGatesV136,
  generateAPIPodStatus,
  statusManager: statusManagerV136,
  probes: probeProfileV136,
  pleg: plegV136,
  volumes: volumesV136,
  imageClient: imageClientV136,
  networkNotReady: 'container runtime network not ready',
  registersStaticPods: true,
  createPodWork: createPodWorkV136,
};
