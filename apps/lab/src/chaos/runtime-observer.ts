/**
 * Observes the CRI calls between a kubelet and its runtime and checks each call against independent rules about the
 * calls that a kubelet may make.
 */
import type { ContainerRuntime, RuntimeService } from '@podscope/cri';
import type { Container, Pod } from '@podscope/k8s';
import type { SimulatedRuntime } from '@podscope/simulated-runtime';
import { background, type Clock, type Context, Tracer } from '@podscope/trace';

interface Known {
  readonly uid: string;
  readonly name: string;
  readonly sandbox: string;
  /** The image at creation, because the pod may be edited later. */
  readonly image: string | undefined;
  started: boolean;
  removed: boolean;
}

/**
 * How long after the deletion of a pod its calls may continue, in milliseconds. After this time, the kubelet must not
 * start any call for the pod.
 */
const goneGrace = 300_000;

export class RuntimeObserver {
  readonly runtime: ContainerRuntime;
  /** Calls that a kubelet must not make. */
  readonly violations: string[] = [];
  /** Number of CRI calls made. */
  calls = 0;
  readonly #inner: RuntimeService;
  readonly #ctx: Context;
  readonly #clock: Clock;
  readonly #pod: (uid: string) => Pod | undefined;
  readonly #containers = new Map<string, Known>();
  /** Latest known pods, by UID. */
  readonly #specs = new Map<string, Pod>();
  readonly #goneSince = new Map<string, number>();

  constructor(simulator: SimulatedRuntime, clock: Clock, pod: (uid: string) => Pod | undefined) {
    this.#inner = simulator.runtime;
    this.#ctx = background(clock, new Tracer());
    this.#clock = clock;
    this.#pod = pod;
    this.runtime = { ...simulator, runtime: this.#watched(simulator.runtime) };
  }

  #watched(inner: RuntimeService): RuntimeService {
    const observed: Partial<RuntimeService> = {
      createContainer: async (ctx, request) => {
        const { sandboxConfig, config, podSandboxId } = request;
        const uid = sandboxConfig?.metadata.uid ?? '';
        const { name } = config.metadata;
        const image = config.image?.userSpecifiedImage || config.image?.image;
        const known: Known = { uid, name, sandbox: podSandboxId, image, started: false, removed: false };
        await this.#checkCreate(known);
        const response = await inner.createContainer(ctx, request);
        this.#containers.set(response.containerId, known);
        return response;
      },
      startContainer: async (ctx, request) => {
        const known = this.#containers.get(request.containerId);
        if (known) await this.#checkStart(request.containerId, known);
        const response = await inner.startContainer(ctx, request);
        if (known) known.started = true;
        return response;
      },
      removeContainer: async (ctx, request) => {
        const state = await this.#state(request.containerId);
        if (state === 'CONTAINER_RUNNING' && this.#isWanted(request.containerId))
          this.#violate(`container ${request.containerId} is removed while it runs`);
        const response = await inner.removeContainer(ctx, request);
        const known = this.#containers.get(request.containerId);
        if (known) known.removed = true;
        return response;
      },
    };
    return new Proxy(inner, {
      get: (target, key, receiver) => {
        const own: unknown = Reflect.get(observed, key, receiver);
        const value: unknown = own ?? Reflect.get(target, key, target);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          this.calls += 1;
          return Reflect.apply(value, target, args);
        };
      },
    });
  }

  /** Returns all containers, oldest first. */
  async containers(): Promise<
    readonly { readonly id: string; readonly state: string; readonly sandbox: string; readonly name: string }[]
  > {
    const { containers } = await this.#inner.listContainers(this.#ctx, {});
    return containers
      .toSorted((a, b) => Number(a.createdAt - b.createdAt) || (a.id < b.id ? -1 : 1))
      .map(({ id, state, podSandboxId, metadata }) => ({ id, state, sandbox: podSandboxId, name: metadata.name }));
  }

  /** Returns all sandboxes, oldest first. */
  async sandboxes(): Promise<
    readonly { readonly id: string; readonly state: string; readonly uid: string; readonly pod: string }[]
  > {
    const { items } = await this.#inner.listPodSandbox(this.#ctx, {});
    return items
      .toSorted((a, b) => Number(a.createdAt - b.createdAt) || (a.id < b.id ? -1 : 1))
      .map(({ id, state, metadata }) => ({ id, state, uid: metadata.uid, pod: metadata.name }));
  }

  /** Returns whether a container belongs to a pod that exists and isn't being deleted. */
  #isWanted(id: string): boolean {
    const known = this.#containers.get(id);
    return (
      known !== undefined &&
      this.#pod(known.uid) !== undefined &&
      this.#pod(known.uid)?.metadata.deletionTimestamp === undefined
    );
  }

  async #state(containerId: string): Promise<string | undefined> {
    try {
      return (await this.#inner.containerStatus(this.#ctx, { containerId })).status.state;
    } catch {
      return undefined;
    }
  }

  async #exit(containerId: string): Promise<number | undefined> {
    try {
      const { status } = await this.#inner.containerStatus(this.#ctx, { containerId });
      return status.state === 'CONTAINER_EXITED' ? status.exitCode : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns the existing containers of a pod that have this name. */
  #of(uid: string, name: string): readonly (readonly [string, Known])[] {
    return [...this.#containers].filter(([, known]) => !known.removed && known.uid === uid && known.name === name);
  }

  /** Returns the pod, and for how long it has been gone. */
  #look(uid: string): { readonly pod: Pod | undefined; readonly gone: number } {
    const pod = this.#pod(uid);
    if (pod) {
      this.#specs.set(uid, pod);
      this.#goneSince.delete(uid);
      return { pod, gone: 0 };
    }
    const since = this.#goneSince.get(uid) ?? this.#clock.now();
    this.#goneSince.set(uid, since);
    return { pod: this.#specs.get(uid), gone: this.#clock.now() - since };
  }

  async #checkCreate({ uid, name, sandbox, image }: Known): Promise<void> {
    const { pod, gone } = this.#look(uid);
    if (gone > goneGrace)
      this.#violate(`container ${name} is created ${Math.round(gone / 1_000)} s after its pod ${uid} went`);
    if (!pod) return;
    const init = pod.spec.initContainers ?? [];
    const isRegular = pod.spec.containers.some((container) => container.name === name);
    if (isRegular) await this.#checkInits(uid, name, sandbox, init);
    if (pod.spec.restartPolicy !== 'Never' || !isRegular) return;
    // A container whose image was edited while it ran is created again under any restart policy.
    for (const [id, known] of this.#of(uid, name))
      if (known.started && known.image === image && (await this.#exit(id)) !== undefined)
        this.#violate(`container ${name} of pod ${pod.metadata.name} runs again, though its restart policy is Never`);
  }

  /**
   * Checks that regular containers start only after all init containers of their sandbox are done, unless another
   * regular container has already started in it.
   */
  async #checkInits(uid: string, name: string, sandbox: string, init: readonly Container[]): Promise<void> {
    const regularBefore = [...this.#containers.values()].some(
      (known) => known.sandbox === sandbox && !init.some((each) => each.name === known.name),
    );
    if (regularBefore) return;
    for (const [index, each] of init.entries()) {
      if (each.restartPolicy === 'Always') continue;
      const own = this.#of(uid, each.name).filter(([, known]) => known.sandbox === sandbox);
      const codes = await Promise.all(own.map(([id]) => this.#exit(id)));
      if (codes.includes(0) || (await this.#isLeftover(uid, init.slice(index)))) continue;
      this.#violate(`container ${name} begins before init container ${each.name} is done: ${JSON.stringify(codes)}`);
    }
  }

  /**
   * Returns whether an init container that succeeded in an earlier sandbox still exists, because its removal failed.
   * Like upstream, the kubelet then counts this init container, and the ones before it, as done for the new sandbox.
   */
  async #isLeftover(uid: string, init: readonly Container[]): Promise<boolean> {
    for (const { name } of init) for (const [id] of this.#of(uid, name)) if ((await this.#exit(id)) === 0) return true;
    return false;
  }

  async #checkStart(id: string, { uid, name }: Known): Promise<void> {
    for (const [other] of this.#of(uid, name)) {
      if (other !== id && (await this.#state(other)) === 'CONTAINER_RUNNING')
        this.#violate(`container ${name} of pod ${uid} is started while ${other} runs`);
    }
  }

  #violate(what: string): void {
    this.violations.push(what);
  }
}
