/** Asks admission about new pods, and refuses those that may not run. Upstream: Kubelet.canAdmitPod, rejectPod (v1.36 and v1.20). */
import { type PodStatus as ApiPodStatus, getPodQOS, isCriticalPod, type Node, type Pod } from '@podscope/k8s';
import type { EventRecorder } from '@podscope/kuberuntime';
import { type Context, withPod } from '@podscope/trace';
import { canAdmitPod } from '../admission/admission.ts';
import { getPodsToPreempt, preempted } from '../admission/preemption.ts';
import type { AdmissionProfile, Rejection } from '../admission/types.ts';
import type { KubeClient, NodeConfiguration } from '../dependencies.ts';
import { nodeAllocatable } from '../node-allocatable.ts';
import type { StatusManager } from '../status/status-manager.ts';

export interface AdmissionParts {
  readonly client: KubeClient;
  readonly node: NodeConfiguration;
  /** Without an API server the node is what the settings say. */
  readonly standalone: boolean;
  readonly recorder: EventRecorder;
  readonly statusManager: StatusManager;
  readonly admission: AdmissionProfile;
  /** Ends a pod that must make room, with its own grace period, and waits for the end. */
  readonly killPodNow: (ctx: Context, pod: Pod, status: ApiPodStatus) => Promise<void>;
}

/** Upstream: initialNode. */
const initialNode = ({ name }: NodeConfiguration): Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, uid: '', labels: { 'kubernetes.io/hostname': name, 'kubernetes.io/os': 'linux' } },
});

/** The node with what it can give; what the API does not say comes from the settings. Upstream: getNodeAnyWay. */
async function nodeForAdmission({ client, node, standalone }: AdmissionParts): Promise<Node | undefined> {
  const found = standalone ? initialNode(node) : await client.getNode();
  if (!found) return undefined;
  const allocatable = { ...nodeAllocatable(node), ...found.status?.allocatable };
  return { ...found, status: { ...found.status, allocatable } };
}

/** Why a pod may not run beside these others; undefined when it may. */
export async function judgePod(parts: AdmissionParts, ctx: Context, pod: Pod, others: readonly Pod[]): Promise<Rejection | undefined> {
  return canAdmitPod(ctx, { pod, others, node: await nodeForAdmission(parts), nodeName: parts.node.name }, parts.admission);
}

/**
 * Lets a pod in or refuses it: with an event, and a status that says so.
 * @param others the active pods without this one
 * @returns false when the pod was refused.
 */
export async function admitPod(parts: AdmissionParts, ctx: Context, pod: Pod, others: readonly Pod[]): Promise<boolean> {
  const { uid, namespace = '', name } = pod.metadata;
  const podCtx = withPod(ctx, { uid, namespace, name });
  const rejection = await judgePod(parts, podCtx, pod, others);
  const final = rejection && (await afterPreemption(parts, podCtx, pod, rejection, others));
  if (!final) return true;
  parts.recorder.event(podCtx, pod, 'Warning', final.reason, final.message);
  const status = { phase: 'Failed' as const, qosClass: getPodQOS(pod), reason: final.reason, message: `${parts.admission.prefix}${final.message}` };
  parts.statusManager.setPodStatus(podCtx, pod, status);
  return false;
}

/** Critical pods that only lack resources get them from others. Upstream: CriticalPodAdmissionHandler. */
async function afterPreemption(parts: AdmissionParts, ctx: Context, pod: Pod, rejection: Rejection, others: readonly Pod[]): Promise<Rejection | undefined> {
  if (!isCriticalPod(pod) || rejection.insufficient === undefined) return rejection;
  try {
    for (const victim of getPodsToPreempt(pod, others, rejection.insufficient)) {
      const { uid, name, namespace = '' } = victim.metadata;
      const victimCtx = withPod(ctx, { uid, name, namespace });
      victimCtx.tracer.decide(victimCtx, 'admission.preemption', { for: pod.metadata.name, insufficient: rejection.insufficient }, preempted.reason);
      parts.recorder.event(victimCtx, victim, 'Warning', preempted.reason, preempted.message);
      await parts.killPodNow(victimCtx, victim, { phase: 'Failed', ...preempted });
    }
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    return { reason: 'UnexpectedAdmissionError', message: `Unexpected error while attempting to recover from admission failure: ${text}` };
  }
}
