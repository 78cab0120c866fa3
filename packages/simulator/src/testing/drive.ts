/** Lets a test await calls of a simulated runtime as if time passed by itself: each call moves the virtual clock until it has its answer. */
import type { ContainerRuntime } from '@podscope/cri';
import type { VirtualClock } from '@podscope/trace';

/** Longer than anything a test waits for; a promise that takes more is stuck. */
const patience = 7 * 24 * 3_600_000;

/** Moves the clock until `promise` settles. */
export async function drive<T>(clock: VirtualClock, promise: Promise<T>): Promise<T> {
  let settled = false;
  const watched = promise.finally(() => {
    settled = true;
  });
  // A rejection is the caller's, below; until then nobody listens.
  watched.catch(() => undefined);
  await clock.advanceUntil(() => settled, patience);
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

/** The runtime with every call driven. Event streams and logs are not: they move when something else does. */
export const drivenRuntime = (clock: VirtualClock, runtime: ContainerRuntime): ContainerRuntime => ({
  ...runtime,
  runtime: driven(clock, runtime.runtime),
  images: driven(clock, runtime.images),
  ...(runtime.streams ? { streams: driven(clock, runtime.streams) } : {}),
});
