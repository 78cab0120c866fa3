/**
 * In which order the containers of a pod with sidecars end: sidecars after the regular containers, and each after the sidecar that follows
 * it. Upstream: kuberuntime_termination_order.go (v1.36).
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

  /** @param running names of the containers that run; the others count as ended */
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

  /** Waits until it is this container's turn, at most `grace` seconds; gives the whole seconds it took. */
  async waitForTurn(ctx: Context, name: string, grace: number): Promise<number> {
    const latches = this.#waitsFor.get(name);
    if (!latches || latches.length === 0) return 0;
    const start = ctx.clock.now();
    const expired = new AbortController();
    try {
      await Promise.race([Promise.all(latches.map(({ opened }) => opened)), sleep(ctx.clock, grace * 1000, expired.signal).catch(() => undefined)]);
    } finally {
      expired.abort();
    }
    return Math.trunc((ctx.clock.now() - start) / 1000);
  }

  /** This container has ended. */
  containerTerminated(name: string): void {
    this.#terminated.get(name)?.open();
  }
}

/** Upstream: killContainersWithSyncResult; only pods with sidecars have an order. */
export const terminationOrderOf = (pod: Pod, running: ReadonlySet<string>): TerminationOrder | undefined =>
  pod.spec.initContainers?.some(isRestartableInitContainer) ? new TerminationOrder(pod, running) : undefined;
