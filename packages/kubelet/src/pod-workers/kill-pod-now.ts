/**
 * Terminates a pod for an eviction or a preemption and waits until it has ended. Upstream: killPodNow
 * (pkg/kubelet/pod_workers.go, v1.36).
 */
import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import type { EventRecorder } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import type { PodWorkers } from './pod-workers.ts';

const minTimeout: Milliseconds = 10_000;

/**
 * Requests the termination of the pod from its worker, with a status that contains the reason. Waits at most 1.5 times
 * the grace period.
 * @param eviction whether the pod is evicted: its content is removed, and its grace period is at most this one
 * @throws Error on a timeout; the termination continues
 */
export async function killPodNow(
  ctx: Context,
  { podWorkers, recorder }: { readonly podWorkers: PodWorkers; readonly recorder: EventRecorder },
  pod: Pod,
  status: ApiPodStatus,
  eviction?: { readonly gracePeriodSeconds: number },
): Promise<void> {
  const timeout = Math.max(
    minTimeout,
    1500 * (eviction?.gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 0),
  );
  const ended = new Promise<'ended'>((resolve, reject) => {
    const reported = podWorkers.updatePod(ctx, {
      updateType: 'kill',
      startTime: ctx.clock.now(),
      pod,
      killPodOptions: {
        completed: () => resolve('ended'),
        podStatusFunction: (generated) => ({ ...generated, ...status }),
        ...(eviction ? { evict: true, gracePeriodSecondsOverride: eviction.gracePeriodSeconds } : {}),
      },
    });
    reported?.catch(reject);
  });
  if ((await Promise.race([ended, pause(ctx, timeout)])) === 'ended') return;
  recorder.event(
    ctx,
    pod,
    'Warning',
    'ExceededGracePeriod',
    'Container runtime did not kill the pod within specified grace period.',
  );
  throw new Error('timeout waiting to kill pod');
}
