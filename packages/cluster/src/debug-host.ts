/** The node as its debugger sees it. */
import { type ContainerRuntime, criPoints } from '@podscope/cri';
import type { DebugHost } from '@podscope/debugger';
import type { Pod } from '@podscope/k8s';
import { type Kubelet, kubeletPoints, syncPodKubeletSteps, syncTerminatedPodSteps, syncTerminatingPodSteps } from '@podscope/kubelet';
import { kuberuntimePoints, syncPodStepsV136 } from '@podscope/kuberuntime';
import type { Context, Point } from '@podscope/trace';

export interface DebugHostOptions {
  readonly containerRuntime: ContainerRuntime;
  /** Made after the debugger that it passes. */
  readonly kubelet: () => Kubelet;
  readonly ctx: () => Context;
  /** Replaces secrets in JSON text. */
  readonly mask: (text: string) => string;
}

const enginePoints: readonly Point[] = [
  kubeletPoints,
  syncPodKubeletSteps,
  syncTerminatingPodSteps,
  syncTerminatedPodSteps,
  { syncPod: kuberuntimePoints.syncPod },
  syncPodStepsV136,
  kuberuntimePoints,
  criPoints,
].flatMap((points) => Object.values<Point>(points));

/** Made of the kubelet's own parts; static pods are among its pods. */
export function createDebugHost({ containerRuntime, kubelet, ctx, mask }: DebugHostOptions): DebugHost {
  return {
    points: () => [...new Map([...enginePoints, ...(containerRuntime.points ?? [])].map((point) => [point.id, point])).values()],
    pod: (uid) => kubelet().podManager.getPodByUID(uid),
    pods: (): readonly Pod[] => kubelet().podManager.getPods(),
    failures: () => containerRuntime.failures,
    mask,
    resync: (uid) => kubelet().interventions.resync(uid),
    killContainer: async (namespace, name, container, graceSeconds) => {
      const { id } = kubelet().interventions.runningContainer(namespace, name, container);
      await containerRuntime.runtime.stopContainer(ctx(), { containerId: id, timeout: graceSeconds });
      return id;
    },
    skipBackOff: (namespace, name, container) => kubelet().interventions.skipBackOff(namespace, name, container),
    setBackOff: (namespace, name, container, milliseconds) => kubelet().interventions.setBackOff(namespace, name, container, milliseconds),
  };
}
