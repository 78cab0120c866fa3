/**
 * Computes the order in which containers terminate: sidecars after the regular containers, in reverse order of their
 * start. Upstream: kuberuntime_termination_order.go (v1.36).
 */
import { isRestartableInitContainer, type Pod } from '@podscope/k8s';
import { type Context, sleep } from '@podscope/trace';

interface Latch {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

function newLatch(open: boolean): Latch {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (open) resolve();
  return { opened: promise, open: resolve };
}

export class TerminationOrder {
  readonly #terminated = new Map<string, Latch>();
  readonly #waitsFor = new Map<string, readonly Latch[]>();

  /**
   * Creates the order of a pod.
   * @param running the names of the running containers; all others count as terminated
   */
  constructor({ spec }: Pod, running: ReadonlySet<string>) {
    const latchOf = (name: string): Latch => {
      const latch = newLatch(!running.has(name));
      this.#terminated.set(name, latch);
      return latch;
    };
    const regular = spec.containers.map(({ name }) => latchOf(name));
    let later: Latch | undefined;
    for (const container of (spec.initContainers ?? []).toReversed()) {
      const latch = latchOf(container.name);
      if (!isRestartableInitContainer(container)) continue;
      this.#waitsFor.set(container.name, later ? [...regular, later] : regular);
      later = latch;
    }
  }

  /**
   * Waits until this container may terminate, at most `grace` seconds.
   * @returns the duration in whole seconds
   */
  async waitForTurn(ctx: Context, name: string, grace: number): Promise<number> {
    const latches = this.#waitsFor.get(name);
    if (!latches || latches.length === 0) return 0;
    const start = ctx.clock.now();
    const expired = new AbortController();
    try {
      await Promise.race([
        Promise.all(latches.map(({ opened }) => opened)),
        sleep(ctx.clock, grace * 1000, expired.signal).catch(() => undefined),
      ]);
    } finally {
      expired.abort();
    }
    return Math.trunc((ctx.clock.now() - start) / 1000);
  }

  /** Marks a container as terminated. */
  containerTerminated(name: string): void {
    this.#terminated.get(name)?.open();
  }
}

/**
 * Returns the termination order of a pod with sidecars, or undefined for other pods. Upstream:
 * killContainersWithSyncResult.
 */
export const terminationOrderOf = (pod: Pod, running: ReadonlySet<string>): TerminationOrder | undefined =>
  pod.spec.initContainers?.some(isRestartableInitContainer) ? new TerminationOrder(pod, running) : undefined;
