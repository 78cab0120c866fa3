/** Defines the rules for probes in v1.20. Upstream: pkg/kubelet/prober, pkg/probe (v1.20). */
import type { ProbeProfile } from '../probe-profile.ts';
import { updatePodStatusV120 } from './update-pod-status.ts';

export const probeProfileV120: ProbeProfile = {
  userAgent: 'kube-probe/1.20',
  probed: ({ spec }) => spec.containers,
  supportsGrpc: false,
  texts: {
    errored: (title, error) => `${title} probe errored: ${error}`,
    // The timeout's error replaces the runtime's response, so the output of the command is lost.
    execTimeout: () => '',
    redirect: (body) => body,
  },
  alwaysSleepsFirst: true,
  endsWithDeletion: false,
  startupSuccessHolds: false,
  mayComeBack: (_container, { spec }) => spec.restartPolicy !== 'Never',
  updatePodStatus: updatePodStatusV120,
  syncsPod: (type) => type === 'liveness',
  statusesOf: ({ containerStatuses = [] }) => containerStatuses,
};
