/**
 * Decides whether an exited container must wait before it starts again. Upstream: kuberuntime_manager.go doBackOff
 * (v1.36 and v1.20).
 */
import { formatGoDuration } from '@podscope/base';
import { kuberuntimePoints } from '@podscope/flow';
import type { Container, Pod } from '@podscope/k8s';
import { addMilliseconds, type Context, type Exposed, type SpanContext } from '@podscope/trace';
import type { Backoff } from '../flowcontrol/backoff.ts';
import { formatPod, type PodStatus } from '../runtime.ts';
import type { RuntimeDependencies } from '../runtime-dependencies.ts';
import { ActionError } from '../sync/action-error.ts';
import { SyncError } from '../sync/sync-result.ts';
import { fnv64Hex } from '../util/fnv.ts';
import { goJSON } from '../util/go-json.ts';
import { containerEvent } from './container-event.ts';

/**
 * Returns the key of a container's back-off. A change of the image or the resources changes the key and so resets the
 * back-off. Upstream: GetBackoffKey (v1.36). The text of the key differs from upstream's.
 */
export const backOffKeyV136 = ({ metadata }: Pod, { name, image = '', resources }: Container): string =>
  fnv64Hex([metadata.name, metadata.namespace ?? '', metadata.uid, name, image, goJSON(resources ?? {})].join('/'));

/** Exposes the length of the back-off in seconds. A debugger can show and change it. */
const backOffExposure = (backOff: Backoff, key: string): Exposed => ({
  description: 'How long the container has to wait after its exit, in seconds.',
  read: () => backOff.get(key) / 1000,
  write: (value) => {
    if (typeof value !== 'number' || !(value >= 0)) throw new RangeError('a back-off must be a number of seconds');
    backOff.set(key, value * 1000);
  },
});

/** Returns true if a debugger requests that the container starts without waiting. */
const isSkipWait = (replacement: unknown): boolean =>
  typeof replacement === 'object' && replacement !== null && 'skipWait' in replacement;

/**
 * Resolves if the container may start. Then the next failure of the container uses a longer back-off.
 * @throws ActionError CrashLoopBackOff while the container has to wait
 */
export function doBackOff(
  ctx: Context,
  dependencies: RuntimeDependencies,
  pod: Pod,
  container: Container,
  podStatus: PodStatus,
  backOff: Backoff,
): Promise<void> {
  const exited = podStatus.containerStatuses.find(({ name, state }) => name === container.name && state === 'exited');
  if (exited?.finishedAt === undefined) return Promise.resolve();
  const { finishedAt } = exited;
  const key = dependencies.profile.backOffKey(pod, container);
  const exposures = { backOffSeconds: backOffExposure(backOff, key), backOffEntry: () => backOff.entries().get(key) };
  const attributes = { container: container.name, key, finishedAt };
  const body = (inner: SpanContext): void => {
    const skipped = isSkipWait(inner.span.replacement);
    const waits = !skipped && backOff.isInBackOffSince(key, finishedAt);
    const now = inner.clock.now();
    const facts = {
      container: container.name,
      finishedAt,
      now,
      backOffSeconds: backOff.get(key) / 1000,
      exitCode: exited.exitCode,
    };
    inner.tracer.decide(
      inner,
      'doBackOff.isInBackOff',
      facts,
      waits ? 'wait: it exited not long ago' : skipped ? 'start: the wait is skipped' : 'start',
      true,
    );
    const emitBackOff = (state: 'armed' | 'waiting'): void => {
      const ms = backOff.get(key);
      inner.tracer.emit(inner, {
        type: 'backOff',
        kind: 'container',
        key,
        container: container.name,
        seconds: ms / 1000,
        since: finishedAt,
        until: finishedAt + ms,
        state,
      });
    };
    if (!waits) {
      backOff.next(key, finishedAt);
      emitBackOff('armed');
      return;
    }
    emitBackOff('waiting');
    const ms = backOff.get(key);
    containerEvent(
      inner,
      dependencies,
      pod,
      container,
      exited.id.id,
      'Warning',
      'BackOff',
      dependencies.profile.texts.backOff(container.name, pod),
    );
    const what = `container=${container.name} pod=${formatPod(pod)}`;
    const message = `back-off ${formatGoDuration(ms)} restarting failed ${what}`;
    throw new ActionError(
      new SyncError('CrashLoopBackOff', { backoffExpiration: addMilliseconds(finishedAt, ms) }),
      message,
    );
  };
  return ctx.tracer.span(ctx, kuberuntimePoints.doBackOff, attributes, body, exposures);
}
