/** The node as its debugger sees it. */
import { type ContainerRuntime, criPoints } from '@podscope/cri';
import type { DebugHost } from '@podscope/debugger';
import type { Pod } from '@podscope/k8s';
import { type Kubelet, kubeletPointsOf } from '@podscope/kubelet';
import { kuberuntimePoints, syncPodSteps } from '@podscope/kuberuntime';
import type { Context, Point } from '@podscope/trace';

export interface DebugHostOptions {
  readonly containerRuntime: ContainerRuntime;
  readonly profile?: 'v1.36' | 'v1.20' | undefined;
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /** Made after the debugger that it passes. */
  readonly kubelet: () => Kubelet;
  readonly ctx: () => Context;
  readonly mask: DebugHost['mask'];
}

/** The points of one release: a step that the other one alone has is none of this node. */
function enginePoints({ profile = 'v1.36', featureGates }: DebugHostOptions): readonly Point[] {
  const runtime = [{ syncPod: kuberuntimePoints.syncPod }, syncPodSteps(profile, featureGates), kuberuntimePoints, criPoints];
  return [...kubeletPointsOf(profile), ...runtime.flatMap((points) => Object.values<Point>(points))];
}

/** Made of the kubelet's own parts; static pods are among its pods. */
export function createDebugHost(options: DebugHostOptions): DebugHost {
  const { containerRuntime, kubelet, ctx, mask } = options;
  return {
    points: () => [...new Map([...enginePoints(options), ...(containerRuntime.points ?? [])].map((point) => [point.id, point])).values()],
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
    exitContainer: async (namespace, name, container, code) => {
      const { id } = kubelet().interventions.runningContainer(namespace, name, container);
      if (!containerRuntime.exitContainer) return undefined;
      await containerRuntime.exitContainer(id, code);
      return id;
    },
    skipBackOff: (namespace, name, container) => kubelet().interventions.skipBackOff(namespace, name, container),
    setBackOff: (namespace, name, container, milliseconds) => kubelet().interventions.setBackOff(namespace, name, container, milliseconds),
  };
}
