/**
 * Implements the CRI runtime with which the recordings were made. It keeps sandboxes and containers in memory and
 * records every call in the format of the recordings.
 */
import { errorText } from '@podscope/base';
import {
  type ContainerConfig,
  type ContainerFilter,
  type ContainerState,
  type ContainerStatus,
  type CreateContainerRequest,
  type CreateContainerResponse,
  type ExecSyncRequest,
  type ExecSyncResponse,
  type ImageStatusRequest,
  type ImageStatusResponse,
  type ListContainersRequest,
  type ListContainersResponse,
  type ListPodSandboxRequest,
  type ListPodSandboxResponse,
  type PodSandboxConfig,
  type PodSandboxStatus,
  type PullImageRequest,
  type PullImageResponse,
  type RunPodSandboxRequest,
  type RunPodSandboxResponse,
  type StopContainerRequest,
  UnimplementedImageService,
  UnimplementedRuntimeService,
  type UpdateContainerResourcesRequest,
  type UpdatePodSandboxResourcesRequest,
} from '@podscope/cri';
import { type Clock, type Context, sleep, toNanoseconds } from '@podscope/trace';
import { CommandError } from '../lifecycle/hooks.ts';
import type { MemoryOS } from '../memory-os.ts';
import { FakeFaults, failureError } from './fake-faults.ts';
import type { FakeRules } from './fake-rules.ts';
import { protoJSON } from './proto-json.ts';

export interface FakeSandbox {
  readonly id: string;
  readonly config: PodSandboxConfig;
  readonly createdAt: bigint;
  ready: boolean;
}

export interface FakeContainer {
  readonly id: string;
  readonly sandbox: string;
  readonly config: ContainerConfig;
  readonly createdAt: bigint;
  state: ContainerState;
  startedAt: bigint;
  finishedAt: bigint;
  exitCode: number;
  reason: string;
}

/** A call in the format of the recordings. */
export type RecordedCall = Record<string, unknown> & { readonly method: string };

export interface FakeRuntimeOptions {
  readonly clock: Clock;
  readonly os: MemoryOS;
  readonly rules: FakeRules;
  readonly images: readonly string[];
  readonly imageUsers: Readonly<Record<string, { readonly uid?: number; readonly username?: string }>>;
  readonly stopExitCode: number | undefined;
}

/** The state that the runtime service and the image service share. */
export class FakeNode {
  readonly options: FakeRuntimeOptions;
  readonly faults = new FakeFaults();
  readonly sandboxes = new Map<string, FakeSandbox>();
  readonly containers = new Map<string, FakeContainer>();
  readonly images: Set<string>;
  calls: RecordedCall[] = [];
  /** Whether calls are recorded and can fail. Tests turn it off to inspect the runtime between rounds. */
  recording = false;
  #created = 0;

  constructor(options: FakeRuntimeOptions) {
    this.options = options;
    this.images = new Set(options.images);
  }

  /** Returns the current time, but always later than every earlier creation time. */
  createdAt(): bigint {
    this.#created += 1;
    return toNanoseconds(this.options.clock.now()) + BigInt(this.#created) * 1000n;
  }

  /** Records a call. Then applies an injected delay or failure; without a failure, runs the call. */
  async call<T>(
    ctx: Context,
    method: string,
    detail: Record<string, unknown>,
    work: () => { readonly value: T; readonly detail?: Record<string, unknown> },
    container?: string,
    onFailure?: (leavesSandbox: boolean) => void,
  ): Promise<T> {
    if (!this.recording) return work().value;
    const call: RecordedCall = { method, ...detail };
    this.calls.push(call);
    const delay = this.faults.takeDelay(method, container);
    if (delay) await sleep(ctx.clock, delay.seconds * 1000, ctx.signal);
    const failure = this.faults.takeFailure(method, container);
    try {
      if (failure) {
        onFailure?.(failure.leavesSandbox ?? false);
        throw failureError(failure);
      }
      const { value, detail: more } = work();
      Object.assign(call, more);
      return value;
    } catch (error) {
      call.error = errorText(error);
      throw error;
    }
  }

  nameOf(containerId: string): string | undefined {
    return this.containers.get(containerId)?.config.metadata.name;
  }

  /** Returns the newest container with this name. */
  newest(name: string, running: boolean): FakeContainer | undefined {
    return [...this.containers.values()]
      .filter(({ config, state }) => config.metadata.name === name && (!running || state === 'CONTAINER_RUNNING'))
      .toSorted((a, b) => Number(b.createdAt - a.createdAt))[0];
  }

  exit(container: FakeContainer, exitCode: number, reason: string): void {
    container.state = 'CONTAINER_EXITED';
    container.exitCode = exitCode;
    container.reason = reason;
    container.finishedAt = toNanoseconds(this.options.clock.now());
  }

  sandboxDies(exitCode: number | undefined): void {
    const ready = [...this.sandboxes.values()]
      .filter((sandbox) => sandbox.ready)
      .toSorted((a, b) => Number(b.createdAt - a.createdAt));
    for (const sandbox of this.options.rules.everySandboxDies ? ready : ready.slice(0, 1)) {
      sandbox.ready = false;
      if (exitCode === undefined) continue;
      for (const container of this.containers.values()) {
        const runs = container.sandbox === sandbox.id && container.state === 'CONTAINER_RUNNING';
        if (runs) this.exit(container, exitCode, exitCode === 0 ? 'Completed' : 'Error');
      }
    }
  }

  /**
   * Returns the entry with this id; undefined if it doesn't exist and `method` accepts unknown ids.
   * @throws Error if `method` rejects unknown ids
   */
  known<T>(from: ReadonlyMap<string, T>, method: string, id: string): T | undefined {
    const found = from.get(id);
    if (found) return found;
    const error = this.options.rules.unknownID(method, id);
    if (error) throw error;
    return undefined;
  }
}

const matchesLabels = (
  labels: Readonly<Record<string, string>> | undefined,
  selector: Readonly<Record<string, string>> | undefined,
): boolean => Object.entries(selector ?? {}).every(([key, value]) => labels?.[key] === value);

/** Returns the items sorted by id, as the recordings list them. */
const sortedByID = <T extends { readonly id: string }>(items: Iterable<T>): T[] =>
  [...items].toSorted((a, b) => (a.id < b.id ? -1 : 1));

export class FakeRuntimeService extends UnimplementedRuntimeService {
  readonly #node: FakeNode;

  constructor(node: FakeNode) {
    super();
    this.#node = node;
  }

  override runPodSandbox(ctx: Context, { config }: RunPodSandboxRequest): Promise<RunPodSandboxResponse> {
    const { name, namespace, uid, attempt } = config.metadata;
    const id = `${name}_${namespace}_${uid}_${attempt}`;
    const add = (ready: boolean): void =>
      void this.#node.sandboxes.set(id, { id, config, createdAt: this.#node.createdAt(), ready });
    return this.#node.call(
      ctx,
      'RunPodSandbox',
      { config: withSortedOptions(config) },
      () => {
        add(true);
        return { value: { podSandboxId: id }, detail: { id } };
      },
      undefined,
      (leavesSandbox) => leavesSandbox && add(false),
    );
  }

  override stopPodSandbox(
    ctx: Context,
    { podSandboxId: id }: { readonly podSandboxId: string },
  ): Promise<Record<string, never>> {
    return this.#node.call(ctx, 'StopPodSandbox', { id }, () => {
      const sandbox = this.#node.known(this.#node.sandboxes, 'StopPodSandbox', id);
      if (sandbox) sandbox.ready = false;
      return { value: {} };
    });
  }

  override removePodSandbox(
    ctx: Context,
    { podSandboxId: id }: { readonly podSandboxId: string },
  ): Promise<Record<string, never>> {
    return this.#node.call(ctx, 'RemovePodSandbox', { id }, () => {
      this.#node.sandboxes.delete(id);
      return { value: {} };
    });
  }

  override podSandboxStatus(
    ctx: Context,
    { podSandboxId: id }: { readonly podSandboxId: string },
  ): Promise<{ readonly status: PodSandboxStatus }> {
    return this.#node.call(ctx, 'PodSandboxStatus', { id }, () => {
      const sandbox = this.#node.known(this.#node.sandboxes, 'PodSandboxStatus', id);
      if (!sandbox) throw new Error(`no sandbox ${id}`);
      return { value: { status: this.#sandboxStatus(sandbox) } };
    });
  }

  #sandboxStatus({ id, config, createdAt, ready }: FakeSandbox): PodSandboxStatus {
    const namespaces = config.linux?.securityContext?.namespaceOptions;
    const ip = namespaces?.network === 'NODE' ? '' : this.#node.options.rules.sandboxIP(config.metadata.attempt);
    return {
      id,
      metadata: config.metadata,
      state: ready ? 'SANDBOX_READY' : 'SANDBOX_NOTREADY',
      createdAt,
      network: { ip },
      linux: { namespaces: { options: namespaces } },
      labels: config.labels ?? {},
      annotations: config.annotations ?? {},
    };
  }

  override listPodSandbox(ctx: Context, { filter }: ListPodSandboxRequest): Promise<ListPodSandboxResponse> {
    return this.#node.call(ctx, 'ListPodSandbox', { filter: protoJSON(filter) }, () => ({
      value: {
        items: sortedByID(this.#node.sandboxes.values())
          .filter(({ config }) => matchesLabels(config.labels, filter?.labelSelector))
          .map((sandbox) => this.#sandboxStatus(sandbox)),
      },
    }));
  }

  override createContainer(
    ctx: Context,
    { podSandboxId, config, sandboxConfig }: CreateContainerRequest,
  ): Promise<CreateContainerResponse> {
    const { name, attempt } = config.metadata;
    const hosts = config.mounts?.find(
      ({ containerPath, hostPath }) => containerPath === '/etc/hosts' && hostPath?.endsWith('/etc-hosts'),
    );
    const { os, rules } = this.#node.options;
    const ofNode = config.linux?.securityContext?.namespaceOptions?.network === 'NODE';
    const hostsFile = hosts?.hostPath && (!ofNode || rules.showsNodeHostsFile) ? os.text(hosts.hostPath) : undefined;
    const detail = {
      sandboxID: podSandboxId,
      config: protoJSON({ ...config, envs: config.envs?.toSorted((a, b) => (a.key < b.key ? -1 : 1)) }),
      ...(hostsFile ? { hostsFile } : {}),
      sandboxConfigAttempt: sandboxConfig.metadata.attempt,
    };
    return this.#node.call(
      ctx,
      'CreateContainer',
      detail,
      () => {
        const id = `${podSandboxId}_${name}_${attempt}`;
        const fresh = { state: 'CONTAINER_CREATED', startedAt: 0n, finishedAt: 0n, exitCode: 0, reason: '' } as const;
        this.#node.containers.set(id, {
          id,
          sandbox: podSandboxId,
          config,
          createdAt: this.#node.createdAt(),
          ...fresh,
        });
        return { value: { containerId: id }, detail: { id } };
      },
      name,
    );
  }

  override startContainer(
    ctx: Context,
    { containerId: id }: { readonly containerId: string },
  ): Promise<Record<string, never>> {
    return this.#about(ctx, 'StartContainer', { id }, (container) => {
      container.state = 'CONTAINER_RUNNING';
      container.startedAt = toNanoseconds(this.#node.options.clock.now());
    });
  }

  override stopContainer(
    ctx: Context,
    { containerId: id, timeout }: StopContainerRequest,
  ): Promise<Record<string, never>> {
    return this.#about(ctx, 'StopContainer', { id, timeout }, (container) => {
      if (container.state === 'CONTAINER_EXITED') return;
      const { exitCode, reason } = this.#node.options.rules.stopped(this.#node.options.stopExitCode);
      this.#node.exit(container, exitCode, reason);
    });
  }

  override removeContainer(
    ctx: Context,
    { containerId: id }: { readonly containerId: string },
  ): Promise<Record<string, never>> {
    return this.#about(ctx, 'RemoveContainer', { id }, () => void this.#node.containers.delete(id));
  }

  override updateContainerResources(
    ctx: Context,
    { containerId: id, linux }: UpdateContainerResourcesRequest,
  ): Promise<Record<string, never>> {
    return this.#about(ctx, 'UpdateContainerResources', { id, linux: protoJSON(linux) }, () => undefined);
  }

  override updatePodSandboxResources(
    ctx: Context,
    { podSandboxId: id, overhead, resources }: UpdatePodSandboxResourcesRequest,
  ): Promise<Record<string, never>> {
    const detail = { id, overhead: protoJSON(overhead), resources: protoJSON(resources) };
    return this.#node.call(ctx, 'UpdatePodSandboxResources', detail, () => ({ value: {} }));
  }

  override containerStatus(
    ctx: Context,
    { containerId: id }: { readonly containerId: string },
  ): Promise<{ readonly status: ContainerStatus }> {
    return this.#node.call(
      ctx,
      'ContainerStatus',
      { id },
      () => {
        const container = this.#node.known(this.#node.containers, 'ContainerStatus', id);
        if (!container) throw new Error(`no container ${id}`);
        return { value: { status: statusOf(container) } };
      },
      this.#node.nameOf(id),
    );
  }

  override listContainers(ctx: Context, { filter }: ListContainersRequest): Promise<ListContainersResponse> {
    return this.#node.call(ctx, 'ListContainers', { filter: protoJSON(filter) }, () => ({
      value: { containers: this.#list(filter) },
    }));
  }

  #list(filter: ContainerFilter | undefined): ListContainersResponse['containers'] {
    return sortedByID(this.#node.containers.values())
      .filter(({ config }) => matchesLabels(config.labels, filter?.labelSelector))
      .map(({ id, sandbox, config, state, createdAt }) => ({
        id,
        podSandboxId: sandbox,
        metadata: config.metadata,
        image: config.image,
        imageRef: config.image.image,
        state,
        createdAt,
        labels: config.labels,
        annotations: config.annotations,
      }));
  }

  override async execSync(ctx: Context, { containerId: id, cmd, timeout }: ExecSyncRequest): Promise<ExecSyncResponse> {
    try {
      const empty = new Uint8Array();
      return await this.#node.call(
        ctx,
        'ExecSync',
        { id, cmd, timeout },
        () => ({ value: { stdout: empty, stderr: empty, exitCode: 0 } }),
        this.#node.nameOf(id),
      );
    } catch (error) {
      throw new CommandError(errorText(error), this.#node.options.rules.failedCommandOutput);
    }
  }

  /** Runs a call that concerns one container and returns no value. */
  #about(
    ctx: Context,
    method: string,
    detail: { readonly id: string } & Record<string, unknown>,
    work: (container: FakeContainer) => void,
  ): Promise<Record<string, never>> {
    return this.#node.call(
      ctx,
      method,
      detail,
      () => {
        const container = this.#node.known(this.#node.containers, method, detail.id);
        if (container) work(container);
        return { value: {} };
      },
      this.#node.nameOf(detail.id),
    );
  }
}

const withSortedOptions = (config: PodSandboxConfig): unknown =>
  protoJSON({ ...config, dnsConfig: { ...config.dnsConfig, options: config.dnsConfig?.options?.toSorted() } });

const statusOf = (container: FakeContainer): ContainerStatus => ({
  id: container.id,
  metadata: container.config.metadata,
  state: container.state,
  createdAt: container.createdAt,
  startedAt: container.startedAt,
  finishedAt: container.finishedAt,
  exitCode: container.exitCode,
  image: container.config.image,
  imageRef: container.config.image.image,
  reason: container.reason,
  message: '',
  labels: container.config.labels,
  annotations: container.config.annotations,
  mounts: container.config.mounts ?? [],
  logPath: '',
});

export class FakeImageService extends UnimplementedImageService {
  readonly #node: FakeNode;

  constructor(node: FakeNode) {
    super();
    this.#node = node;
  }

  override imageStatus(ctx: Context, { image: { image } }: ImageStatusRequest): Promise<ImageStatusResponse> {
    const { rules, imageUsers } = this.#node.options;
    return this.#node.call<ImageStatusResponse>(ctx, 'ImageStatus', { image }, () => {
      const id = rules.imageName(image);
      if (!this.#node.images.has(id)) return { value: {} };
      const { uid, username } = imageUsers[id] ?? {};
      const user = {
        ...(uid === undefined ? {} : { uid: { value: uid } }),
        ...(username === undefined ? {} : { username }),
      };
      return { value: { image: { id, repoTags: [id], repoDigests: [], size: rules.imageSize, ...user } } };
    });
  }

  override pullImage(ctx: Context, { image: { image }, auth }: PullImageRequest): Promise<PullImageResponse> {
    return this.#node.call(ctx, 'PullImage', { image, auth: auth ? protoJSON(auth) : null }, () => {
      const id = this.#node.options.rules.imageName(image);
      this.#node.images.add(id);
      return { value: { imageRef: id } };
    });
  }
}
