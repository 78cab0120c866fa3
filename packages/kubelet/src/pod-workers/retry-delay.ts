/** Computes when a worker syncs its pod again. Upstream: podWorkers.completeWork (v1.36). */
import { minBackoffExpiration } from '@podscope/kuberuntime';
import type { Instant, Milliseconds } from '@podscope/trace';

/** The delay after a successful sync. */
const resyncInterval: Milliseconds = 60_000;
/** The delay after an error. */
export const backOffPeriod: Milliseconds = 10_000;
const backOffOnTransientErrorPeriod: Milliseconds = 1000;
const maxBackOffTolerance: Milliseconds = 60_000;
const jitterFactor = 0.5;

/** The text that identifies an error of a network that isn't ready. */
export const networkNotReadyText = 'network is not ready';

/** Returns a uniform random value in [d, 1.5·d). Upstream: wait.Jitter. */
export const jitter = (random: () => number, duration: Milliseconds): Milliseconds =>
  duration * (1 + jitterFactor * random());

/**
 * Returns the delay before the next sync, in ms.
 * @param phaseTransition whether the pod moved to its next state
 */
export function retryDelay(random: () => number, now: Instant, phaseTransition: boolean, error: unknown): Milliseconds {
  if (phaseTransition) return 0;
  if (error === undefined) return jitter(random, resyncInterval);
  if (error instanceof Error && error.message.includes(networkNotReadyText))
    return jitter(random, backOffOnTransientErrorPeriod);
  const expiration = minBackoffExpiration(error);
  const delay = expiration === undefined ? backOffPeriod : Math.min(Math.max(0, expiration - now), maxBackOffTolerance);
  return jitter(random, delay);
}
