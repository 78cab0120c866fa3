/** Defines the PLEG's rules in v1.20. Upstream: GenericPLEG (pkg/kubelet/pleg/generic.go, v1.20). */
import type { PlegProfile } from '../generic-pleg.ts';

export const plegV120: PlegProfile = { inspectedAt: 'inspection', emitsPodSync: false };
