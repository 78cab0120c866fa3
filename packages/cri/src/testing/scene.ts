/** Creates sandboxes and containers with unique names for a test of the contract, and removes them after the test. */
import type { Context, GrpcCode } from '@podscope/trace';
import { CriError, isCriError } from '../error.ts';
import type { ContainerConfig, ContainerStatus, PodSandboxConfig, PodSandboxStatus } from '../messages.ts';
import type { ImageService, RuntimeService } from '../services.ts';
import type { ContractEnvironment } from './environment.ts';
import type { RunningSandbox, SharedPod } from './shared-pod.ts';

const run = crypto.randomUUID().slice(0, 8);
let lastPod = 0;
let lastLog = 0;

const decoder = new TextDecoder();

/**
 * Returns a matcher for a CriError.
 * @param code the code to match; default: any code
 */
export const criError = (code?: GrpcCode): object => ({ name: 'CriError', ...(code && { code }) });

/** Returns the code with which a call was rejected; undefined if it succeeded. */
export const refusalOf = (call: Promise<unknown>): Promise<GrpcCode | undefined> =>
  call.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CriError) return error.code;
      throw error;
    },
  );

/** The sandboxes and containers of one test. */
export class Scene {
  readonly environment: ContractEnvironment;
  readonly #shared: SharedPod;
  readonly #sandboxes: string[] = [];
  readonly #containers: string[] = [];

  constructor(environment: ContractEnvironment, shared: SharedPod) {
    this.environment = environment;
    this.#shared = shared;
  }

  get runtime(): RuntimeService {
    return this.environment.runtime.runtime;
  }

  get images(): ImageService {
    return this.environment.runtime.images;
  }

  ctx(): Context {
    return this.environment.ctx();
  }

  /** Returns the configuration of a pod with a unique name. */
  sandboxConfig(overrides: Partial<PodSandboxConfig> = {}): PodSandboxConfig {
    const name = `contract-${run}-${++lastPod}`;
    const uid = crypto.randomUUID();
    const {
      labels,
      linux = { securityContext: { namespaceOptions: { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } } },
      ...others
    } = overrides;
    const { cgroupParent } = this.environment;
    return {
      metadata: { name, namespace: 'podscope-contract', uid, attempt: 0 },
      hostname: name,
      logDirectory: this.environment.logDirectory ? `${this.environment.logDirectory}/${name}_${uid}` : '',
      annotations: {},
      linux: cgroupParent === undefined ? linux : { ...linux, cgroupParent },
      ...others,
      labels: {
        'io.kubernetes.pod.name': name,
        'io.kubernetes.pod.namespace': 'podscope-contract',
        'io.kubernetes.pod.uid': uid,
        ...labels,
      },
    };
  }

  /**
   * Returns the sandbox that tests use one after another. After a test, its containers are removed and the sandbox is
   * kept.
   */
  async pod(): Promise<RunningSandbox> {
    return this.#shared.get(async () => {
      const config = this.sandboxConfig();
      const { podSandboxId } = await this.runtime.runPodSandbox(this.ctx(), { config });
      return { id: podSandboxId, config };
    });
  }

  /** Runs a sandbox for this test alone. */
  async sandbox(overrides: Partial<PodSandboxConfig> = {}): Promise<RunningSandbox> {
    return this.runSandbox(this.sandboxConfig(overrides));
  }

  async runSandbox(config: PodSandboxConfig): Promise<RunningSandbox> {
    const { podSandboxId } = await this.runtime.runPodSandbox(this.ctx(), { config });
    this.#sandboxes.push(podSandboxId);
    return { id: podSandboxId, config };
  }

  /** Returns the configuration of a container `app` that runs `script` in a shell. */
  containerConfig(sandbox: RunningSandbox, script: string, overrides: Partial<ContainerConfig> = {}): ContainerConfig {
    const { labels, annotations, ...others } = overrides;
    const metadata = others.metadata ?? { name: 'app', attempt: 0 };
    return {
      metadata,
      image: { image: this.environment.image },
      command: ['sh', '-c', script],
      // In a shared sandbox, the names of containers repeat, so each log has its own path.
      logPath: this.environment.logDirectory ? `${metadata.name}/${++lastLog}.log` : '',
      linux: { resources: {}, securityContext: { namespaceOptions: { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } } },
      ...others,
      labels: { ...sandbox.config.labels, 'io.kubernetes.container.name': metadata.name, ...labels },
      annotations: { 'io.kubernetes.container.restartCount': String(metadata.attempt), ...annotations },
    };
  }

  /** Creates a container that runs `script`. */
  async create(sandbox: RunningSandbox, script: string, overrides: Partial<ContainerConfig> = {}): Promise<string> {
    const config = this.containerConfig(sandbox, script, overrides);
    const { containerId } = await this.runtime.createContainer(this.ctx(), {
      podSandboxId: sandbox.id,
      config,
      sandboxConfig: sandbox.config,
    });
    if (!this.#sandboxes.includes(sandbox.id)) this.#containers.push(containerId);
    return containerId;
  }

  /** Creates and starts a container that runs `script`. */
  async start(sandbox: RunningSandbox, script: string, overrides: Partial<ContainerConfig> = {}): Promise<string> {
    const containerId = await this.create(sandbox, script, overrides);
    await this.runtime.startContainer(this.ctx(), { containerId });
    return containerId;
  }

  /** Runs `script` until it ends and returns the status of the container. */
  async finish(
    sandbox: RunningSandbox,
    script: string,
    overrides: Partial<ContainerConfig> = {},
  ): Promise<ContainerStatus> {
    return this.exited(await this.start(sandbox, script, overrides));
  }

  async status(containerId: string): Promise<ContainerStatus> {
    return (await this.runtime.containerStatus(this.ctx(), { containerId })).status;
  }

  async sandboxStatus(podSandboxId: string): Promise<PodSandboxStatus> {
    return (await this.runtime.podSandboxStatus(this.ctx(), { podSandboxId })).status;
  }

  /** Waits until the container has exited. */
  async exited(containerId: string): Promise<ContainerStatus> {
    await this.environment.waitFor(
      async () => (await this.status(containerId)).state === 'CONTAINER_EXITED',
      `container ${containerId} to exit`,
    );
    return this.status(containerId);
  }

  /** Waits until the container's output contains `text`. */
  async printed(containerId: string, text: string): Promise<void> {
    await this.environment.waitFor(
      async () => (await this.output(containerId)).includes(text),
      `container ${containerId} to print ${text}`,
    );
  }

  /** Returns the output of a container up to now: both streams, line by line. */
  async output(containerId: string): Promise<string> {
    const lines: string[] = [];
    for await (const line of this.environment.runtime.logs.containerLogs(this.ctx(), containerId, {}))
      lines.push(line.text);
    return lines.join('\n');
  }

  /** Runs `script` in a shell inside a running container. */
  async exec(
    containerId: string,
    script: string,
    timeout = 30,
  ): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    const response = await this.runtime.execSync(this.ctx(), { containerId, cmd: ['sh', '-c', script], timeout });
    return {
      exitCode: response.exitCode,
      stdout: decoder.decode(response.stdout),
      stderr: decoder.decode(response.stderr),
    };
  }

  /** Removes all sandboxes of the test and its containers in the shared sandbox. */
  async tearDown(): Promise<void> {
    await Promise.all(
      this.#containers.splice(0).map((containerId) => {
        const remove = () => this.runtime.removeContainer(this.ctx(), { containerId });
        // A runtime may fail to remove a container that is just ending. The call is then repeated, as the kubelet does.
        return remove().catch(remove);
      }),
    );
    await Promise.all(
      this.#sandboxes.splice(0).map(async (podSandboxId) => {
        await this.runtime.stopPodSandbox(this.ctx(), { podSandboxId }).catch((error: unknown) => {
          // The test may have removed the sandbox. Not every runtime treats a missing sandbox as stopped.
          if (!isCriError(error, 'NotFound')) throw error;
        });
        await this.runtime.removePodSandbox(this.ctx(), { podSandboxId });
      }),
    );
  }
}
