/**
 * Creates the mirror pods of static pods as soon as the node is registered. Upstream:
 * Kubelet.fastStaticPodsRegistration (pkg/kubelet/kubelet.go, v1.36).
 */
import { kubeletPoints } from '@podscope/flow';
import { type Context, type Milliseconds, withPod } from '@podscope/trace';
import type { KubeClient } from '../dependencies.ts';
import { pause } from '../util/wait.ts';
import type { MirrorPods } from './mirror-pods.ts';
import type { PodManager } from './pod-manager.ts';

/** The interval of checks for the node. Upstream: the interval of wait.PollUntilContextCancel. */
const pollInterval: Milliseconds = 100;

interface RegistrationDependencies {
  readonly client: KubeClient;
  readonly podManager: PodManager;
  readonly mirrorPods: MirrorPods;
}

/**
 * Waits until the node object exists, then reconciles the mirror pod of each static pod once. Without it, a static pod
 * that was synced before the node was registered gets its mirror pod only at its next sync, up to 90 s later.
 */
export async function fastStaticPodsRegistration(
  ctx: Context,
  { client, podManager, mirrorPods }: RegistrationDependencies,
): Promise<void> {
  while (!(await client.getNode())) if (!(await pause(ctx, pollInterval))) return;
  for (const [pod, mirrorPod] of podManager.staticPodsWithMirrors()) {
    const { uid, name, namespace = '' } = pod.metadata;
    const podCtx = withPod(ctx, { uid, name, namespace });
    await podCtx.tracer.span(podCtx, kubeletPoints.fastStaticPodsRegistration, {}, async (inner) => {
      inner.span.set({ outcome: await mirrorPods.reconcile(inner, pod, mirrorPod) });
    });
  }
}
