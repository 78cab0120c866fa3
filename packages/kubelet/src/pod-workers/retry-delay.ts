/** When a worker looks at its pod again. Upstream: podWorkers.completeWork (v1.36). */
import { minBackoffExpiration } from '@podscope/kuberuntime';
import type { Instant, Milliseconds } from '@podscope/trace';

/** After a pass without error. */
const resyncInterval: Milliseconds = 60_000;
/** After an error. */
export const backOffPeriod: Milliseconds = 10_000;
const backOffOnTransientErrorPeriod: Milliseconds = 1000;
const maxBackOffTolerance: Milliseconds = 60_000;
const jitterFactor = 0.5;

/** Words in an error that say the network is not there yet. */
export const networkNotReadyText = 'network is not ready';

/** A uniform random value in [d, 1.5·d). Upstream: wait.Jitter. */
export const jitter = (random: () => number, duration: Milliseconds): Milliseconds => duration * (1 + jitterFactor * random());

/** The delay before the next look. `phaseTransition`: the pod moved on to its next phase of life. */
export function retryDelay(random: () => number, now: Instant, phaseTransition: boolean, error: unknown): Milliseconds {
  if (phaseTransition) return 0;
  if (error === undefined) return jitter(random, resyncInterval);
  if (error instanceof Error && error.message.includes(networkNotReadyText)) return jitter(random, backOffOnTransientErrorPeriod);
  const expiration = minBackoffExpiration(error);
  const delay = expiration === undefined ? backOffPeriod : Math.min(Math.max(0, expiration - now), maxBackOffTolerance);
  return jitter(random, delay);
}
