/**
 * Runs container garbage collection every minute. Upstream: StartGarbageCollection (pkg/kubelet/kubelet.go, v1.36 and
 * v1.20).
 */
import { errorText } from '@podscope/base';
import type { EventRecorder, GCPolicy, Runtime, RuntimePod } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import { withoutTracing } from '../util/without-tracing.ts';

const containerGCPeriod: Milliseconds = 60_000;

/** The release's defaults: one dead instance of each container is kept. */
const policy: GCPolicy = { minAge: 0, maxPerPodContainer: 1, maxContainers: -1 };

export interface GarbageCollectionDependencies {
  readonly runtime: Pick<Runtime, 'getPods' | 'garbageCollect'>;
  readonly recorder: EventRecorder;
  readonly allSourcesReady: () => boolean;
  readonly shouldPodContentBeRemoved: (uid: string) => boolean;
}

/** True when a collection will remove something. Other collections run without tracing. */
function hasGarbage({ id, containers, sandboxes }: RuntimePod, contentGone: (uid: string) => boolean): boolean {
  const dead = containers.filter(({ state }) => state !== 'running');
  const idle = sandboxes.filter(
    (sandbox) => sandbox.state !== 'running' && !containers.some(({ podSandboxID }) => podSandboxID === sandbox.id.id),
  );
  if (contentGone(id)) return dead.length + sandboxes.filter(({ state }) => state !== 'running').length > 0;
  return (
    new Set(dead.map(({ name }) => name)).size < dead.length ||
    (sandboxes.length > 1 && idle.some((sandbox) => sandbox !== sandboxes[0]))
  );
}

/**
 * Collects garbage at the kubelet's start and then every minute until the context is aborted. Each failure emits an
 * event.
 */
export async function garbageCollectionLoop(ctx: Context, dependencies: GarbageCollectionDependencies): Promise<void> {
  const { runtime, recorder, allSourcesReady, shouldPodContentBeRemoved } = dependencies;
  do {
    try {
      const pods = await runtime.getPods(withoutTracing(ctx), true);
      const visible = pods.some((pod) => hasGarbage(pod, shouldPodContentBeRemoved)) ? ctx : withoutTracing(ctx);
      await runtime.garbageCollect(visible, policy, allSourcesReady(), false);
    } catch (error) {
      if (ctx.signal.aborted) return;
      recorder.nodeEvent(ctx, 'Warning', 'ContainerGCFailed', errorText(error));
    }
  } while (await pause(ctx, containerGCPeriod));
}
