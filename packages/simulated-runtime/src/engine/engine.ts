/**
 * Makes the Docker Engine calls that dockershim makes to read containers, images and facts about the engine, and caches
 * the same answers as dockershim. Upstream: libdocker's client, versionCache (dockershim, v1.20).
 */
import { CriError } from '@podscope/cri';
import type { Context, Instant, SpanContext } from '@podscope/trace';
import type { SimulatedContainer } from '../containers/container.ts';
import type { StoredImage } from '../images/image-store.ts';
import type { SimulatedNode } from '../node.ts';
import type { Operation } from '../operations.ts';
import type { SimulatedSandbox } from '../sandboxes/sandbox.ts';
import { type DockerCall, type DockerOperation, dockerCall, dockerRead } from './docker-calls.ts';

/** How long dockershim keeps the version and the configuration of the engine, in ms. */
const factsFreshMs = 60_000;
/** How long dockershim keeps the name of an image, in ms. */
const namesFreshMs = 10_000;
/** How long dockershim keeps the disk usage of images and containers, in ms. */
const diskUsageFreshMs = 10_000;

/** Which containers a list contains. */
interface ListedContainers<T> {
  /** Whether the list contains stopped containers. */
  readonly all: boolean;
  /** The filters by their name in the Docker API. */
  readonly filters: Readonly<Record<string, readonly string[]>>;
  /** The operation whose latency and faults the call has. */
  readonly operation?: Operation;
  /** Returns the objects that the engine finds. */
  readonly find: () => readonly T[];
}

/** How to inspect a container or sandbox. */
interface Inspection {
  /** Whether the engine also computes the size of the container's files. */
  readonly size?: boolean;
  /** The operation whose latency and faults the call has. */
  readonly operation?: Operation;
}

/** The parts of an engine call that only reads. */
interface Read<T> {
  readonly request: () => DockerCall;
  /** The operation whose latency and faults the call has. */
  readonly operation: Operation | undefined;
  readonly find: () => T | undefined;
  /** Returns the error of a call that finds nothing. */
  readonly missing?: () => CriError;
}

type Answer = 'version' | 'info' | 'diskUsage';
/** An answer that is cached. v1.20 caches the version only for the check before it creates a container. */
type Cached = Answer | 'checkedVersion';

const notFound = (kind: 'container' | 'image', id: string): CriError =>
  new CriError('NotFound', `Error: No such ${kind}: ${id}`);

/** Returns `undefined` instead of a NotFound error. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | undefined> {
  return call.catch((error: unknown) => {
    if (error instanceof CriError && error.code === 'NotFound') return undefined;
    throw error;
  });
}

/** Returns labels as filters of the form `key=value`. */
export const labelFilters = (labels: Readonly<Record<string, string>> | undefined): string[] =>
  Object.entries(labels ?? {}).map(([key, value]) => `${key}=${value}`);

/** The state of a container as Docker names it, by the state in CRI. */
const dockerStates = {
  CONTAINER_CREATED: 'created',
  CONTAINER_RUNNING: 'running',
  CONTAINER_EXITED: 'exited',
  CONTAINER_UNKNOWN: 'dead',
} as const;

/** The records of the engine. */
interface EngineRecords {
  readonly node: SimulatedNode;
  readonly sandboxes: ReadonlyMap<string, SimulatedSandbox>;
  readonly containers: ReadonlyMap<string, SimulatedContainer>;
}

export class Engine {
  readonly #records: EngineRecords;
  readonly #askedAt: Map<Cached, Instant>;
  readonly #namesAt = new Map<string, Instant>();

  constructor(records: EngineRecords) {
    this.#records = records;
    // dockershim requests the configuration when it is created.
    this.#askedAt = new Map([['info', records.node.clock.now()]]);
  }

  /** Requests the version of the engine, in v1.36 at most once a minute. */
  async version(ctx: Context, operation?: Operation): Promise<void> {
    await this.#fact(ctx, 'version', factsFreshMs, operation);
  }

  /** Requests the configuration of the engine, in v1.36 at most once a minute. */
  async info(ctx: Context): Promise<void> {
    await this.#fact(ctx, 'info', factsFreshMs);
  }

  /** Requests the version of the engine, at most once a minute. Upstream: versionCache (v1.20). */
  async checkVersion(ctx: Context): Promise<void> {
    if (this.#isFresh('checkedVersion', factsFreshMs)) return;
    this.#askedAt.set('checkedVersion', this.#records.node.clock.now());
    await this.#ask(ctx, 'version');
  }

  /** Measures the disk usage, at most every 10 s. */
  async diskUsage(ctx: Context, operation?: Operation): Promise<void> {
    if (this.#isFresh('diskUsage', diskUsageFreshMs)) {
      if (operation) await this.#records.node.take(ctx, operation);
      return;
    }
    await this.#ask(ctx, 'diskUsage', operation);
  }

  /** Clears the cached answers about images. Called after an image was pulled or removed. */
  forgetImages(): void {
    this.#namesAt.clear();
    this.#askedAt.delete('diskUsage');
  }

  async #fact(ctx: Context, name: 'version' | 'info', freshMs: number, operation?: Operation): Promise<void> {
    const { node } = this.#records;
    if (node.release === 'v1.36' && this.#isFresh(name, freshMs)) {
      if (operation) await node.take(ctx, operation);
      return;
    }
    await this.#ask(ctx, name, operation);
  }

  #isFresh(answer: Cached, freshMs: number): boolean {
    const at = this.#askedAt.get(answer);
    return at !== undefined && this.#records.node.clock.now() - at < freshMs;
  }

  async #ask(ctx: Context, answer: Answer, operation?: Operation): Promise<void> {
    const { node } = this.#records;
    const now = node.clock.now();
    await dockerCall(ctx, answer, {}, async (inner) => {
      if (operation) await node.take(inner, operation);
    });
    this.#askedAt.set(answer, now);
  }

  /**
   * Inspects a container.
   * @throws CriError NotFound
   */
  inspectContainer(ctx: Context, id: string, options: Inspection = {}): Promise<SimulatedContainer> {
    return this.#inspect(
      ctx,
      id,
      options,
      () => this.#records.containers.get(id),
      ({ state, exitCode }) => ({
        Status: dockerStates[state],
        Running: state === 'CONTAINER_RUNNING',
        ExitCode: exitCode,
      }),
    );
  }

  /**
   * Inspects the container of a sandbox.
   * @throws CriError NotFound
   */
  inspectSandbox(ctx: Context, id: string, options: Inspection = {}): Promise<SimulatedSandbox> {
    return this.#inspect(
      ctx,
      id,
      options,
      () => this.#records.sandboxes.get(id),
      ({ ready }) => ({
        Status: ready ? 'running' : 'exited',
        Running: ready,
      }),
    );
  }

  #inspect<T>(
    ctx: Context,
    id: string,
    { size, operation }: Inspection,
    find: () => T | undefined,
    stateOf: (found: T) => object,
  ): Promise<T> {
    const request = (): DockerCall => ({ id, ...(size ? { query: { size: 1 } } : {}) });
    return this.#read(
      ctx,
      'inspectContainer',
      { request, operation, find, missing: () => notFound('container', id) },
      (found) => ({
        Id: id,
        State: stateOf(found),
      }),
    );
  }

  /** Lists containers or sandboxes. */
  listContainers<T extends { readonly id: string }>(
    ctx: Context,
    { all, filters, operation, find }: ListedContainers<T>,
  ): Promise<readonly T[]> {
    const query = (): Record<string, string | number> => ({
      ...(all ? { all: 1 } : {}),
      filters: JSON.stringify(filters),
      limit: 0,
    });
    const request = (): DockerCall => ({ query: query() });
    return this.#read(ctx, 'listContainers', { request, operation, find }, (found) =>
      found.map(({ id }) => ({ Id: id })),
    );
  }

  /**
   * Makes a call that reads. If the operation takes no time and can't fail, the call is done at once.
   * @throws the error for a missing object; the error of a fault
   */
  #read<T>(
    ctx: Context,
    call: DockerOperation,
    { request, operation, find, missing }: Read<T>,
    responseOf: (found: T) => unknown,
  ): Promise<T> {
    const { node } = this.#records;
    const look = ({ span, tracer }: SpanContext): T => {
      const found = find();
      if (found === undefined) throw missing?.() ?? new CriError('Unknown', `${call}: no answer`);
      if (tracer.enabled) span.set({ response: responseOf(found) });
      return found;
    };
    const isInstant = operation === undefined || node.isInstant(operation);
    const known = isInstant ? find() : undefined;
    if (known !== undefined) return dockerRead(ctx, call, request, look, known);
    return dockerCall(ctx, call, request, async (inner) => {
      if (operation) await node.take(inner, operation);
      return look(inner);
    });
  }

  /** Returns the labels by which dockershim lists its sandboxes or containers. */
  labelsOf(kind: 'podsandbox' | 'container', sandboxId?: string): string[] {
    return [
      `io.kubernetes.docker.type=${kind}`,
      this.ownLabel,
      ...(sandboxId ? [`io.kubernetes.sandbox.id=${sandboxId}`] : []),
    ];
  }

  /** The label of all containers that the runtime created. */
  get ownLabel(): string {
    return `io.podscope.instance=${this.#records.node.instance}`;
  }

  /**
   * Inspects an image.
   * @param find returns the image; default: the one with the reference
   * @throws CriError NotFound
   */
  inspectImage(
    ctx: Context,
    ref: string,
    find: () => StoredImage | undefined = () => this.#records.node.images.find(ref),
    operation?: Operation,
  ): Promise<StoredImage> {
    const request = (): DockerCall => ({ id: ref });
    return this.#read(
      ctx,
      'inspectImage',
      { request, operation, find, missing: () => notFound('image', ref) },
      (found) => ({
        Id: found.id,
        RepoTags: [...found.repoTags],
      }),
    );
  }

  /**
   * Lists images.
   * @param reference the name of the image to list; default: all images
   */
  async listImages(ctx: Context, reference?: string, operation?: Operation): Promise<void> {
    const filters = reference ? { query: { filters: JSON.stringify({ reference: [reference] }) } } : {};
    await dockerCall(ctx, 'listImages', filters, async (inner) => {
      if (operation) await this.#records.node.take(inner, operation);
    });
  }

  /**
   * Looks up the name of a container's image, in v1.36 at most every 10 s. The image may have been removed.
   * @returns undefined if the name is known
   */
  imageName(ctx: Context, { id }: StoredImage): Promise<unknown> | undefined {
    const { node } = this.#records;
    const now = node.clock.now();
    const at = this.#namesAt.get(id);
    if (node.release === 'v1.36' && at !== undefined && now - at < namesFreshMs) return undefined;
    this.#namesAt.set(id, now);
    return unlessMissing(this.inspectImage(ctx, id));
  }

  /** Reads the usage of a running container. */
  async stats(ctx: Context, id: string): Promise<void> {
    await dockerCall(ctx, 'containerStats', { id, query: { stream: 'false', 'one-shot': 'true' } }, () => undefined);
  }
}
