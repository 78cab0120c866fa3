/** Creates a simulated runtime on a virtual clock, and runs pods in it for tests. */
import type { ContainerConfig, ContainerRuntime, ContainerStatus, PodSandboxConfig } from '@podscope/cri';
import { background, type Context, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { MemoryHostFiles } from '../machine/host-files.ts';
import type { SimulatorOptions } from '../options.ts';
import { createSimulator, type SimulatedRuntime } from '../simulator.ts';
import { drive, drivenRuntime } from './drive.ts';

const decoder = new TextDecoder();

export class TestRuntime {
  readonly clock = new VirtualClock();
  readonly log = new EventLog(this.clock);
  readonly ctx: Context = background(this.clock, new Tracer(this.log));
  readonly hostFiles = new MemoryHostFiles();
  readonly simulator: SimulatedRuntime;
  /** The simulator. Each call advances the clock until the call settles. */
  readonly driven: ContainerRuntime;
  #lastPod = 0;

  constructor(options: Omit<SimulatorOptions, 'clock'> = {}) {
    this.simulator = createSimulator({ clock: this.clock, hostFiles: this.hostFiles, ...options });
    this.driven = drivenRuntime(this.clock, this.simulator);
  }

  sandboxConfig(overrides: Partial<PodSandboxConfig> = {}): PodSandboxConfig {
    const number = ++this.#lastPod;
    return {
      metadata: { name: `pod-${number}`, namespace: 'default', uid: `uid-${number}`, attempt: 0 },
      labels: {},
      annotations: {},
      ...overrides,
    };
  }

  async sandbox(
    overrides: Partial<PodSandboxConfig> = {},
  ): Promise<{ readonly id: string; readonly config: PodSandboxConfig }> {
    const config = this.sandboxConfig(overrides);
    const { podSandboxId } = await this.driven.runtime.runPodSandbox(this.ctx, { config });
    return { id: podSandboxId, config };
  }

  /** Creates the container `app` in the given sandbox; without one, in a new sandbox. */
  async create(
    overrides: Partial<ContainerConfig> = {},
    sandbox?: { readonly id: string; readonly config: PodSandboxConfig },
  ): Promise<string> {
    const inSandbox = sandbox ?? (await this.sandbox());
    const config: ContainerConfig = {
      metadata: { name: 'app', attempt: 0 },
      image: { image: 'busybox:1.36' },
      labels: {},
      annotations: {},
      logPath: 'app/0.log',
      linux: { securityContext: { namespaceOptions: { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } } },
      ...overrides,
    };
    const { containerId } = await this.driven.runtime.createContainer(this.ctx, {
      podSandboxId: inSandbox.id,
      config,
      sandboxConfig: inSandbox.config,
    });
    return containerId;
  }

  /** Creates and starts the container `app`. */
  async start(
    overrides: Partial<ContainerConfig> = {},
    sandbox?: { readonly id: string; readonly config: PodSandboxConfig },
  ): Promise<string> {
    const containerId = await this.create(overrides, sandbox);
    await this.driven.runtime.startContainer(this.ctx, { containerId });
    return containerId;
  }

  /** Adds an image and starts the container `app` with it. */
  async startImage(image: string, overrides: Partial<ContainerConfig> = {}): Promise<string> {
    this.simulator.addImage(image);
    return this.start({ image: { image }, ...overrides });
  }

  /** Starts the container `app` with a script, which is in an annotation of the pod. */
  async startScript(script: string, overrides: Partial<ContainerConfig> = {}): Promise<string> {
    return this.start(overrides, await this.sandbox({ annotations: { 'sim.podscope.dev/app': script } }));
  }

  async status(containerId: string): Promise<ContainerStatus> {
    return (await this.driven.runtime.containerStatus(this.ctx, { containerId })).status;
  }

  /** Advances the clock until the container has exited. */
  async exited(containerId: string): Promise<ContainerStatus> {
    for (let status = await this.status(containerId); ; status = await this.status(containerId)) {
      if (status.state === 'CONTAINER_EXITED') return status;
      const next = this.clock.nextDue();
      if (next === undefined) throw new Error(`container ${containerId} will never exit`);
      await this.clock.advanceTo(next);
    }
  }

  async stop(containerId: string, timeout: number): Promise<ContainerStatus> {
    await this.driven.runtime.stopContainer(this.ctx, { containerId, timeout });
    return this.status(containerId);
  }

  async exec(
    containerId: string,
    cmd: readonly string[],
    timeout = 10,
  ): Promise<{ code: number; stdout: string; stderr: string }> {
    const { exitCode, stdout, stderr } = await this.driven.runtime.execSync(this.ctx, { containerId, cmd, timeout });
    return { code: exitCode, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
  }

  async lines(containerId: string): Promise<string[]> {
    const lines: string[] = [];
    for await (const line of this.simulator.logs.containerLogs(this.ctx, containerId, {})) lines.push(line.text);
    return lines;
  }

  /** Advances the clock until `promise` settles. */
  drive<T>(promise: Promise<T>): Promise<T> {
    return drive(this.clock, promise);
  }
}
