/**
 * Lists the admission handlers of v1.20, with the messages of v1.20. Upstream: Kubelet.canAdmitPod, admitHandlers
 * (pkg/kubelet, v1.20).
 */
import { predicatesHandler } from '../predicates.ts';
import { commonSafeSysctls, sysctlsHandler } from '../sysctls.ts';
import type { AdmissionProfile } from '../types.ts';

const predicates = predicatesHandler({
  failed: (name) => ({ reason: name, message: `Predicate ${name} failed` }),
  checksOperatingSystem: false,
  checksTaints: false,
  checksSupplementalGroups: false,
  fetchesNode: false,
});

const sysctls = sysctlsHandler({
  safe: new Set(commonSafeSysctls),
  refusal: 'not whitelisted',
  normalizes: false,
});

export const admissionV120: AdmissionProfile = { handlers: [sysctls, predicates], prefix: 'Pod ' };
