/**
 * Decides whether a pod may run on this node. Upstream: allocation manager canAdmitPod (pkg/kubelet/allocation, v1.36).
 */
import { isPodLevelResourcesSet } from '@podscope/k8s';
import type { Context } from '@podscope/trace';
import { appArmorV136 } from './app-armor.ts';
import { declaredFeaturesV136 } from './declared-features.ts';
import { predicatesV136 } from './predicates.ts';
import { sysctlsV136 } from './sysctls.ts';
import type { AdmissionHandler, AdmissionInput, AdmissionProfile, Rejection } from './types.ts';

/**
 * Rejects pods with `spec.resources` while the feature gate PodLevelResources is off. Upstream:
 * PodFeaturesAdmitHandler.
 */
const podFeatures: AdmissionHandler = {
  name: 'podFeatures',
  applies: ({ pod }) => isPodLevelResourcesSet(pod),
  admit: ({ podLevelResources = true }) =>
    podLevelResources
      ? undefined
      : { reason: 'PodLevelResourcesNotSupported', message: 'PodLevelResources feature gate is disabled' },
};

/** Rejects every pod while the node shuts down. Upstream: the Admit of nodeshutdown's manager. */
const nodeShutdown: AdmissionHandler = {
  name: 'nodeShutdown',
  applies: ({ isShuttingDown }) => isShuttingDown === true,
  admit: () => ({ reason: 'NodeShutdown', message: 'Pod was rejected as the node is shutting down.' }),
};

export const admissionV136: AdmissionProfile = {
  handlers: [sysctlsV136, predicatesV136, appArmorV136, podFeatures, declaredFeaturesV136, nodeShutdown],
  prefix: 'Pod was rejected: ',
};

/**
 * Runs the handlers in order. Returns the first rejection, or undefined when every handler admits the pod. If only
 * resources are missing and they can be freed, the next handler follows. Emits one decision per handler.
 */
export async function canAdmitPod(
  ctx: Context,
  input: AdmissionInput,
  { handlers }: AdmissionProfile = admissionV136,
): Promise<Rejection | undefined> {
  for (const handler of handlers) {
    if (handler.applies?.(input) === false) continue;
    const result = handler.admit(input, ctx);
    const rejection = result instanceof Promise ? await result : result;
    ctx.tracer.decide(
      ctx,
      `admission.${handler.name}`,
      { pod: input.pod.metadata.name },
      rejection ?? 'admitted',
      rejection !== undefined,
    );
    const final = rejection?.insufficient && input.freeResources ? await input.freeResources(rejection) : rejection;
    if (final) return final;
  }
  return undefined;
}
