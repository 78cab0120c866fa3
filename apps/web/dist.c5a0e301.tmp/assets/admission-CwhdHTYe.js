var e=`/** Decides whether a pod may run on this node. Upstream: allocation manager canAdmitPod (pkg/kubelet/allocation, v1.36). */
import type { Context } from '@podscope/trace';
import { predicatesV120, predicatesV136 } from './predicates.ts';
import { sysctlsV120, sysctlsV136 } from './sysctls.ts';
import type { AdmissionInput, AdmissionProfile, Rejection } from './types.ts';

export const admissionV136: AdmissionProfile = { handlers: [sysctlsV136, predicatesV136], prefix: 'Pod was rejected: ' };
export const admissionV120: AdmissionProfile = { handlers: [sysctlsV120, predicatesV120], prefix: 'Pod ' };

/** The first objection, undefined when the pod may run. */
export function canAdmitPod(ctx: Context, input: AdmissionInput, { handlers }: AdmissionProfile = admissionV136): Rejection | undefined {
  for (const handler of handlers) {
    const rejection = handler.admit(input);
    ctx.tracer.decide(ctx, \`admission.\${handler.name}\`, { pod: input.pod.metadata.name }, rejection ?? 'admitted', rejection !== undefined);
    if (rejection) return rejection;
  }
  return undefined;
}
`;export{e as default};
//# sourceMappingURL=admission-CwhdHTYe.js.map