/**
 * Terminates the pods of a node that shuts down, group by group in the order of their priority, and rejects new ones.
 * Upstream: pkg/kubelet/nodeshutdown (v1.36).
 */
import { errorText } from '@podscope/base';
import { type Pod, systemCriticalPriority } from '@podscope/k8s';
import type { EventRecorder } from '@podscope/kuberuntime';
import { type Context, withPod } from '@podscope/trace';
import type { FeatureGates } from '../features.ts';
import type { PodStatusFunction } from '../pod-workers/types.ts';
import { withDisruption } from '../status/conditions.ts';
import { pause } from '../util/wait.ts';
import { groupByPriority, type ShutdownGroup } from './shutdown-groups.ts';

const message = 'Pod was terminated in response to imminent node shutdown.';

/** The time that pods may take in total, and the part of it that is reserved for critical pods, in seconds. */
export interface ShutdownGracePeriods {
  readonly gracePeriodSeconds: number;
  readonly criticalGracePeriodSeconds: number;
}

interface NodeShutdownDependencies {
  readonly gates: FeatureGates;
  readonly recorder: EventRecorder;
  readonly activePods: () => readonly Pod[];
  /**
   * Terminates a pod and waits until it has ended.
   * @throws Error on a timeout; the termination continues
   */
  readonly terminate: (ctx: Context, pod: Pod, edit: PodStatusFunction, gracePeriodSeconds: number) => Promise<void>;
  /** Waits until the volumes of a terminated pod are unmounted. */
  readonly waitForUnmount: (ctx: Context, pod: Pod) => Promise<void>;
}

/** The shutdown of a node. */
export class NodeShutdown {
  readonly #dependencies: NodeShutdownDependencies;
  #isShuttingDown = false;

  constructor(dependencies: NodeShutdownDependencies) {
    this.#dependencies = dependencies;
  }

  /** Why the node isn't ready; undefined while it doesn't shut down. Upstream: ShutdownStatus. */
  get error(): string | undefined {
    return this.#isShuttingDown ? 'node is shutting down' : undefined;
  }

  /**
   * Starts the shutdown and resolves once the pods have ended or their time is over. Does nothing if the feature gate
   * is off or the grace period is 0, as in a kubelet that isn't configured for it. Upstream: processShutdownEvent,
   * killPods.
   * @param onStart called after new pods are rejected and before the first pod is terminated
   */
  async begin(ctx: Context, periods: ShutdownGracePeriods, onStart: () => void): Promise<void> {
    const { gates, recorder, activePods } = this.#dependencies;
    const { gracePeriodSeconds, criticalGracePeriodSeconds: critical } = periods;
    if (!gates.GracefulNodeShutdown || gracePeriodSeconds <= 0 || critical > gracePeriodSeconds || this.#isShuttingDown)
      return;
    recorder.nodeEvent(ctx, 'Normal', 'Shutdown', 'Shutdown manager detected shutdown event');
    this.#isShuttingDown = true;
    onStart();
    const groups = groupByPriority(
      [
        { priority: 0, seconds: gracePeriodSeconds - critical },
        { priority: systemCriticalPriority, seconds: critical },
      ],
      activePods(),
    );
    for (const group of groups) if (group.pods.length > 0 && !ctx.signal.aborted) await this.#end(ctx, group);
  }

  /** Terminates the pods of a group. Resolves when all volumes are unmounted, at the latest after the group's time. */
  async #end(ctx: Context, { pods, seconds, priority }: ShutdownGroup): Promise<void> {
    const { gates, terminate, waitForUnmount } = this.#dependencies;
    const ended = pods.map(async (pod) => {
      const { uid, name, namespace = '' } = pod.metadata;
      const own = withPod(ctx, { uid, name, namespace });
      const gracePeriodSeconds = Math.min(seconds, pod.spec.terminationGracePeriodSeconds ?? seconds);
      const facts = { pod: name, priority: pod.spec.priority ?? 0, group: priority, groupSeconds: seconds };
      own.tracer.decide(own, 'nodeShutdown.terminate', facts, `with a grace period of ${gracePeriodSeconds} s`);
      try {
        await terminate(own, pod, terminated(pod, gates), gracePeriodSeconds);
      } catch (error) {
        const text = `Pod ${name} has not ended before the node's shutdown: ${errorText(error)}`;
        own.tracer.emit(own, { type: 'output', level: 'warning', message: text });
      }
      await waitForUnmount(own, pod);
    });
    await Promise.race([Promise.all(ended), pause(ctx, seconds * 1000)]);
  }
}

/** Returns how the status of a terminated pod changes. The phase Succeeded doesn't change. */
const terminated =
  (pod: Pod, gates: FeatureGates): PodStatusFunction =>
  (status) => {
    const phase = status.phase === 'Succeeded' ? 'Succeeded' : 'Failed';
    return withDisruption({ pod, gates }, { ...status, phase, reason: 'Terminated', message }, message);
  };
