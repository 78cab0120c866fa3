/** Lets a test await calls of a simulated runtime: the virtual clock advances until the call settles. */
import type { ContainerRuntime } from '@podscope/cri';
import type { VirtualClock } from '@podscope/trace';

/** The longest virtual time to wait, in ms. A promise that takes longer is assumed to never settle. */
const longestWait = 7 * 24 * 3_600_000;

/** Advances the clock until `promise` settles. */
export async function drive<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const watched = promise.finally(() => {
    settled = true;
  });
  // The handler only prevents an unhandled rejection here; the caller handles the rejection of the returned promise.
  watched.catch(() => undefined);
  await clock.advanceUntil(() => settled, longestWait);
  return watched;
}

const isThenable = (value: unknown): value is Promise<unknown> => value instanceof Promise;

function driven<Service extends object>(clock: VirtualClock, service: Service): Service {
  return new Proxy(service, {
    get(target, key) {
      const member: unknown = Reflect.get(target, key);
      if (typeof member !== 'function') return member;
      return (...args: readonly unknown[]) => {
        const result: unknown = Reflect.apply(member, target, args);
        return isThenable(result) ? drive(clock, result) : result;
      };
    },
  });
}

/**
 * Returns a runtime whose calls advance the clock until they settle. Event streams and logs don't; they progress while
 * other calls advance the clock.
 */
export const drivenRuntime = (clock: VirtualClock, runtime: ContainerRuntime): ContainerRuntime => ({
  ...runtime,
  runtime: driven(clock, runtime.runtime),
  images: driven(clock, runtime.images),
  ...(runtime.streams ? { streams: driven(clock, runtime.streams) } : {}),
});
