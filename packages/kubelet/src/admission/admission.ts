/** Decides whether a pod may run on this node. Upstream: allocation manager canAdmitPod (pkg/kubelet/allocation, v1.36). */
import type { Context } from '@podscope/trace';
import { predicateHandler } from './predicates.ts';
import { sysctlHandler } from './sysctls.ts';
import type { AdmissionHandler, AdmissionInput, Rejection } from './types.ts';

/** The handlers in their order. */
const admissionHandlers: readonly AdmissionHandler[] = [sysctlHandler, predicateHandler];

/** The first objection, undefined when the pod may run. */
export function canAdmitPod(ctx: Context, input: AdmissionInput): Rejection | undefined {
  for (const handler of admissionHandlers) {
    const rejection = handler.admit(input);
    ctx.tracer.decide(ctx, `admission.${handler.name}`, { pod: input.pod.metadata.name }, rejection ?? 'admitted', rejection !== undefined);
    if (rejection) return rejection;
  }
  return undefined;
}
