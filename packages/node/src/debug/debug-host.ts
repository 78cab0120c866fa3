/** Implements the debugger's host on a kubelet and its container runtime. */
import type { ContainerRuntime } from '@podscope/cri';
import type { DebugHost } from '@podscope/debugger';
import { criPointsOf, kubeletPointsOf, kuberuntimePoints, syncPodPointsOf } from '@podscope/flow';
import type { Pod } from '@podscope/k8s';
import type { Kubelet } from '@podscope/kubelet';
import type { Context, Point } from '@podscope/trace';

export interface DebugHostOptions {
  readonly containerRuntime: ContainerRuntime;
  readonly profile?: 'v1.36' | 'v1.20' | undefined;
  readonly featureGates?: Readonly<Record<string, boolean>> | undefined;
  /** Returns the kubelet. Called only when it is needed, because the kubelet is created after the debugger. */
  readonly kubelet: () => Kubelet;
  readonly ctx: () => Context;
  readonly mask: DebugHost['mask'];
}

/** Returns the points of the node's release, without steps that only the other release has. */
function enginePoints({ profile = 'v1.36', featureGates }: DebugHostOptions): readonly Point[] {
  const runtime = [
    { syncPod: kuberuntimePoints.syncPod },
    syncPodPointsOf(profile, featureGates),
    kuberuntimePoints,
    criPointsOf(profile),
  ];
  return [...kubeletPointsOf(profile), ...runtime.flatMap((points) => Object.values<Point>(points))];
}

/** Returns the host. The host lists the kubelet's pods, including static pods. */
export function createDebugHost(options: DebugHostOptions): DebugHost {
  const { containerRuntime, kubelet, ctx, mask } = options;
  return {
    points: () => [
      ...new Map(
        [...enginePoints(options), ...(containerRuntime.points ?? [])].map((point) => [point.id, point]),
      ).values(),
    ],
    pod: (uid) => kubelet().podManager.getPodByUID(uid),
    pods: (): readonly Pod[] => kubelet().podManager.getPods(),
    failures: () => containerRuntime.failures,
    mask,
    resync: (uid) => kubelet().debugControls.resync(uid),
    killContainer: async (namespace, name, container, graceSeconds) => {
      const { id } = kubelet().debugControls.runningContainer(namespace, name, container);
      await containerRuntime.runtime.stopContainer(ctx(), { containerId: id, timeout: graceSeconds });
      return id;
    },
    exitContainer: async (namespace, name, container, code) => {
      const { id } = kubelet().debugControls.runningContainer(namespace, name, container);
      if (!containerRuntime.exitContainer) return undefined;
      await containerRuntime.exitContainer(id, code);
      return id;
    },
    skipBackOff: (namespace, name, container) => kubelet().debugControls.skipBackOff(namespace, name, container),
    setBackOff: (namespace, name, container, milliseconds) =>
      kubelet().debugControls.setBackOff(namespace, name, container, milliseconds),
  };
}
