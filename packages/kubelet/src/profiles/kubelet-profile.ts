/** Declares everything that differs between the releases of the kubelet. */
import type { PodStatus as ApiPodStatus } from '@podscope/k8s';
import type { Profile } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import type { ImageClient } from '../images/image-client.ts';
import type { PlegProfile } from '../pleg/generic-pleg.ts';
import type { ProbeProfile } from '../prober/probe-profile.ts';
import type { StatusManagerProfile } from '../status/manager/status-manager-profile.ts';
import type { StatusInput } from '../status/status-input.ts';
import type { VolumeProfile } from '../volumes/volume-profile.ts';
import type { CreatePodWork } from './pod-work.ts';

export interface KubeletProfile {
  readonly name: 'v1.36' | 'v1.20';
  /** The runtime manager's profile. */
  readonly runtime: Profile;
  readonly gates: FeatureGates;
  readonly generateAPIPodStatus: (ctx: Context, input: StatusInput) => ApiPodStatus;
  readonly statusManager: StatusManagerProfile;
  readonly probes: ProbeProfile;
  readonly pleg: PlegProfile;
  readonly volumes: VolumeProfile;
  readonly imageClient: ImageClient;
  /** The text of the release's error when the network isn't ready. */
  readonly networkNotReady: string;
  /** Whether the mirror pods of all static pods are reconciled as soon as the node is registered. */
  readonly registersStaticPods: boolean;
  /** Creates the pod workers, and the handlers that send them updates. */
  readonly createPodWork: CreatePodWork;
}
