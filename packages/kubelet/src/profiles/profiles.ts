/** The releases there are. */
import { profileV120, profileV136 } from '@podscope/kuberuntime';
import { featureGatesV120, featureGatesV136 } from '../features.ts';
import { plegV120, plegV136 } from '../pleg/generic-pleg.ts';
import { probeProfileV120, probeProfileV136 } from '../prober/probe-profile.ts';
import { generateAPIPodStatus } from '../status/generate-api-pod-status.ts';
import { generateAPIPodStatusV120 } from '../status/generate-api-pod-status-v1-20.ts';
import { statusManagerV120, statusManagerV136 } from '../status/status-manager-profile.ts';
import { volumesV120, volumesV136 } from '../volumes/volume-profile.ts';
import type { KubeletProfile } from './kubelet-profile.ts';
import { createPodWorkV120 } from './pod-work-v1-20.ts';
import { createPodWorkV136 } from './pod-work-v1-36.ts';

/** By name. */
export const kubeletProfiles: Readonly<Record<KubeletProfile['name'], KubeletProfile>> = {
  'v1.36': {
    name: 'v1.36',
    runtime: profileV136,
    gates: featureGatesV136,
    generateAPIPodStatus,
    statusManager: statusManagerV136,
    probes: probeProfileV136,
    pleg: plegV136,
    volumes: volumesV136,
    networkNotReady: 'container runtime network not ready',
    createPodWork: createPodWorkV136,
  },
  'v1.20': {
    name: 'v1.20',
    runtime: profileV120,
    gates: featureGatesV120,
    generateAPIPodStatus: generateAPIPodStatusV120,
    statusManager: statusManagerV120,
    probes: probeProfileV120,
    pleg: plegV120,
    volumes: volumesV120,
    networkNotReady: 'runtime network not ready',
    createPodWork: createPodWorkV120,
  },
};
