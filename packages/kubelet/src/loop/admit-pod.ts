/**
 * Runs admission for new pods, preempts pods in favor of critical ones, and rejects pods that may not run. Upstream:
 * Kubelet.canAdmitPod, rejectPod (v1.36 and v1.20).
 */
import { errorMessage } from '@podscope/base';
import type { RuntimeFeatures } from '@podscope/cri';
import { type PodStatus as ApiPodStatus, getPodQOS, isCriticalPod, type Pod } from '@podscope/k8s';
import type { EventRecorder } from '@podscope/kuberuntime';
import { type Context, withPod } from '@podscope/trace';
import { canAdmitPod } from '../admission/admission.ts';
import { nodeDeclaredFeatures } from '../admission/declared-features.ts';
import type { NodeForAdmission } from '../admission/node-for-admission.ts';
import { getPodsToPreempt, preempted } from '../admission/preemption.ts';
import type { AdmissionProfile, Rejection } from '../admission/types.ts';
import type { NodeConfiguration } from '../dependencies.ts';
import type { FeatureGates } from '../features.ts';
import type { Measures } from '../metrics/measures.ts';
import type { StatusManager } from '../status/manager/status-manager.ts';

export interface AdmissionDependencies {
  readonly node: NodeConfiguration;
  readonly admissionNode: NodeForAdmission;
  readonly gates: FeatureGates;
  readonly recorder: EventRecorder;
  readonly statusManager: StatusManager;
  readonly admission: AdmissionProfile;
  /** Returns the features that the runtime last reported. */
  readonly runtimeFeatures: () => RuntimeFeatures | undefined;
  /** True while the node shuts down. */
  readonly isShuttingDown: () => boolean;
  /**
   * Terminates a preempted pod with the grace period of its spec and waits until it has ended.
   * @returns false if the termination failed, and the release admits the critical pod nevertheless
   * @throws Error if the release rejects the critical pod because of the failed termination
   */
  readonly preempt: (ctx: Context, pod: Pod, status: ApiPodStatus) => Promise<boolean>;
  readonly measures: Measures;
}

/**
 * Returns why the pod may not run while these other pods run; undefined when it may. Preempts other pods in favor of a
 * critical pod.
 */
export async function evaluateAdmission(
  ctx: Context,
  dependencies: AdmissionDependencies,
  pod: Pod,
  others: readonly Pod[],
): Promise<Rejection | undefined> {
  const { node, admission } = dependencies;
  const input = {
    pod,
    others,
    node: await dependencies.admissionNode.get(),
    fetchNode: () => dependencies.admissionNode.fetch(),
    nodeName: node.name,
    appArmorEnabled: node.appArmor?.enabled,
    podLevelResources: dependencies.gates.PodLevelResources,
    declaredFeatures: nodeDeclaredFeatures(dependencies.gates),
    runtimeFeatures: dependencies.runtimeFeatures(),
    isShuttingDown: dependencies.isShuttingDown(),
    freeResources: (rejection: Rejection) => preemptFor(ctx, dependencies, pod, rejection, others),
  };
  return canAdmitPod(ctx, input, admission);
}

/**
 * Admits a pod, or rejects it with an event and the phase Failed.
 * @param others the active pods without this one
 * @returns false when the pod was rejected
 */
export async function admitPod(
  ctx: Context,
  dependencies: AdmissionDependencies,
  pod: Pod,
  others: readonly Pod[],
): Promise<boolean> {
  const { uid, namespace = '', name } = pod.metadata;
  const podCtx = withPod(ctx, { uid, namespace, name });
  const rejection = await evaluateAdmission(podCtx, dependencies, pod, others);
  if (!rejection) return true;
  dependencies.recorder.event(podCtx, pod, 'Warning', rejection.reason, rejection.message);
  const status = {
    phase: 'Failed' as const,
    qosClass: getPodQOS(pod, dependencies.gates.PodLevelResources),
    reason: rejection.reason,
    message: `${dependencies.admission.prefix}${rejection.message}`,
  };
  dependencies.statusManager.setPodStatus(podCtx, pod, status);
  return false;
}

/**
 * Evicts less important pods if the pod is critical and only lacks resources. Returns the rejection that remains.
 * Upstream: CriticalPodAdmissionHandler.
 */
async function preemptFor(
  ctx: Context,
  dependencies: AdmissionDependencies,
  pod: Pod,
  rejection: Rejection,
  others: readonly Pod[],
): Promise<Rejection | undefined> {
  const { insufficient } = rejection;
  if (!isCriticalPod(pod) || insufficient === undefined) return rejection;
  try {
    for (const victim of getPodsToPreempt(pod, others, insufficient, dependencies.gates.PodLevelResources)) {
      const { uid, name, namespace = '' } = victim.metadata;
      const victimCtx = withPod(ctx, { uid, name, namespace });
      victimCtx.tracer.decide(
        victimCtx,
        'admission.preemption',
        { for: pod.metadata.name, insufficient },
        preempted.reason,
      );
      dependencies.recorder.event(victimCtx, victim, 'Warning', preempted.reason, preempted.message);
      if (await dependencies.preempt(victimCtx, victim, { phase: 'Failed', ...preempted }))
        dependencies.measures.take({ of: 'preemption', resource: insufficient[0]?.resource ?? '' });
    }
    return undefined;
  } catch (error) {
    const text = errorMessage(error);
    return {
      reason: 'UnexpectedAdmissionError',
      message: `Unexpected error while attempting to recover from admission failure: ${text}`,
    };
  }
}
