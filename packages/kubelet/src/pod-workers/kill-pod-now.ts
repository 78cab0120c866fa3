/**
 * Terminates a pod for an eviction, a preemption or a shutdown of the node, and waits until it has ended. Upstream:
 * killPodNow (pkg/kubelet/pod_workers.go, v1.36).
 */
import type { Pod } from '@podscope/k8s';
import type { EventRecorder } from '@podscope/kuberuntime';
import type { Context, Milliseconds } from '@podscope/trace';
import { pause } from '../util/wait.ts';
import type { PodWorkers } from './pod-workers.ts';
import type { PodStatusFunction } from './types.ts';

/**
 * Returns how long to wait for the end of a pod: one and a half times its grace period in whole seconds, at least 10 s.
 * Upstream: killPodNow (v1.36 and v1.20).
 */
export const killTimeout = (graceSeconds: number): Milliseconds =>
  Math.max(10, graceSeconds + Math.trunc(graceSeconds / 2)) * 1000;

/**
 * Requests the termination of the pod from its worker. Waits at most 1.5 times the grace period, which by default is
 * that of the pod's spec. With `evict`, the content of the pod can be removed once it has terminated.
 * @param edit returns the status with the reason of the termination
 * @throws Error on a timeout; the termination continues
 */
export async function killPodNow(
  ctx: Context,
  { podWorkers, recorder }: { readonly podWorkers: PodWorkers; readonly recorder: EventRecorder },
  pod: Pod,
  edit: PodStatusFunction,
  { evict, gracePeriodSeconds }: { readonly evict?: boolean; readonly gracePeriodSeconds?: number } = {},
): Promise<void> {
  const grace = gracePeriodSeconds ?? pod.spec.terminationGracePeriodSeconds ?? 0;
  const timeout = killTimeout(grace);
  const ended = new Promise<'ended'>((resolve, reject) => {
    const reported = podWorkers.updatePod(ctx, {
      updateType: 'kill',
      startTime: ctx.clock.now(),
      pod,
      killPodOptions: {
        completed: () => resolve('ended'),
        podStatusFunction: edit,
        ...(evict ? { evict } : {}),
        ...(gracePeriodSeconds === undefined ? {} : { gracePeriodSecondsOverride: gracePeriodSeconds }),
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
