/** What makes one release of the kubelet different from another, in one place. */
import type { PodStatus as ApiPodStatus } from '@podscope/k8s';
import type { Profile } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import type { PlegProfile } from '../pleg/generic-pleg.ts';
import type { CreatePodWork } from '../pod-work.ts';
import type { ProbeProfile } from '../prober/probe-profile.ts';
import type { StatusInput } from '../status/generate-api-pod-status.ts';
import type { StatusManagerProfile } from '../status/status-manager-profile.ts';
import type { VolumeProfile } from '../volumes/volume-profile.ts';

export interface KubeletProfile {
  readonly name: 'v1.36' | 'v1.20';
  /** The runtime manager's. */
  readonly runtime: Profile;
  readonly gates: FeatureGates;
  readonly generateAPIPodStatus: (ctx: Context, input: StatusInput) => ApiPodStatus;
  readonly statusManager: StatusManagerProfile;
  readonly probes: ProbeProfile;
  readonly pleg: PlegProfile;
  readonly volumes: VolumeProfile;
  /** What a network that is not ready is called. */
  readonly networkNotReady: string;
  /** Pod workers and the handlers that talk to them. */
  readonly createPodWork: CreatePodWork;
}
