/** Composes the kubelet of v1.20 from the profiles of its parts. */

import { profileV120 as runtime } from '@podscope/kuberuntime';
import { type FeatureGates, featureGatesV136 } from '../../features.ts';
import { imageClientV120 } from '../../images/v1-20/image-client.ts';
import { plegV120 } from '../../pleg/v1-20/pleg-profile.ts';
import { probeProfileV120 } from '../../prober/v1-20/probe-profile.ts';
import { statusManagerV120 } from '../../status/manager/v1-20/status-manager-profile.ts';
import { generateAPIPodStatusV120 } from '../../status/v1-20/generate-api-pod-status.ts';
import { volumesV120 } from '../../volumes/v1-20/volume-profile.ts';
import type { KubeletProfile } from '../kubelet-profile.ts';
import { createPodWorkV120 } from './pod-work.ts';

/**
 * None of these gates exists in v1.20, so all are off. The exception is ChangeContainerStatusOnKubeletRestart: a
 * kubelet of v1.20 recomputes the status of running containers after its restart, as this gate requires.
 */
const gates: FeatureGates = {
  ...(Object.fromEntries(Object.keys(featureGatesV136).map((gate) => [gate, false])) as FeatureGates),
  ChangeContainerStatusOnKubeletRestart: true,
};

export const kubeletProfileV120: KubeletProfile = {
  name: 'v1.20',
  runtime,
  gates,
  generateAPIPodStatus: generateAPIPodStatusV120,
  statusManager: statusManagerV120,
  probes: probeProfileV120,
  pleg: plegV120,
  volumes: volumesV120,
  imageClient: imageClientV120,
  networkNotReady: 'runtime network not ready',
  registersStaticPods: false,
  createPodWork: createPodWorkV120,
};
