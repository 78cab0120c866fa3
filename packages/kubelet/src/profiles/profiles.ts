/** Lists the releases that the kubelet can behave like. */
import type { KubeletProfile } from './kubelet-profile.ts';
import { kubeletProfileV120 } from './v1-20/profile.ts';
import { kubeletProfileV136 } from './v1-36/profile.ts';

/** The profiles by release name. */
export const kubeletProfiles: Readonly<Record<KubeletProfile['name'], KubeletProfile>> = {
  'v1.36': kubeletProfileV136,
  'v1.20': kubeletProfileV120,
};
