var e=`/** One container of the simulated runtime: its configuration, its state, and the machine it runs in. */
import {
  type Container,
  type ContainerConfig,
  type ContainerEventType,
  type ContainerState,
  type ContainerStatus,
  CriError,
  type LinuxContainerResources,
} from '@podscope/cri';
import { type Instant, instant, sleep, toNanoseconds } from '@podscope/trace';
import type { StoredImage } from './images/image-store.ts';
import { type Life, lifeOf, StartError } from './life/life.ts';
import { ContainerLog } from './logs.ts';
import { FileSystem, resolvePath } from './machine/file-system.ts';
import { Machine } from './machine/machine.ts';
import { parseSignal, type SignalName } from './machine/signals.ts';
import { emptyInput, Pipe } from './machine/streams.ts';
import type { SimulatedNode } from './node.ts';
import { lookupIn } from './programs/lookup.ts';
import type { SandboxRecord } from './sandbox-record.ts';
import { userOf } from './users.ts';

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export class ContainerRecord {
  readonly id: string;
  readonly sandbox: SandboxRecord;
  readonly config: ContainerConfig;
  readonly image: StoredImage;
  readonly log: ContainerLog;
  readonly createdAt: Instant;
  readonly life: Life;
  resources: LinuxContainerResources;
  machine: Machine | undefined;
  state: ContainerState = 'CONTAINER_CREATED';
  startedAt: Instant | undefined;
  finishedAt: Instant | undefined;
  exitCode = 0;
  reason = '';
  message = '';
  readonly #node: SimulatedNode;
  readonly #files: FileSystem;

  /** @throws CriError when its script can't be read. */
  constructor(node: SimulatedNode, sandbox: SandboxRecord, config: ContainerConfig, image: StoredImage) {
    this.#node = node;
    this.id = node.newId();
    this.sandbox = sandbox;
    this.config = config;
    this.image = image;
    this.createdAt = node.clock.now();
    this.log = new ContainerLog(node.clock);
    this.resources = config.linux?.resources ?? {};
    const mounts = (config.mounts ?? []).flatMap(({ containerPath, hostPath, readonly }) =>
      hostPath ? [{ containerPath: resolvePath('/', containerPath), hostPath, readonly: readonly ?? false }] : [],
    );
    const { readonlyRootfs: readonlyRoot } = config.linux?.securityContext ?? {};
    this.#files = new FileSystem(node.hostFiles, mounts, { readonlyRoot, isRoot: (userOf(config, image.definition)?.uid ?? 0) === 0 });
    for (const [path, content] of Object.entries(image.definition.files ?? {})) this.#files.seed(path, content);
    this.life = lifeOf(node.scripts, sandbox.config, config, image.definition);
  }

  /** What process 1 reads, where the configuration opens it. */
  stdin: Pipe | undefined;
  readonly #taps = new Set<(stream: 'stdout' | 'stderr', text: string) => void>();

  get running(): boolean {
    return this.state === 'CONTAINER_RUNNING';
  }

  get usedBytes(): number {
    return this.#files.usedBytes;
  }

  /** Starts process 1. @throws CriError when it can't be started; the container has exited then. */
  async start(): Promise<void> {
    const network = this.sandbox.network;
    if (!this.sandbox.ready || !network) {
      throw this.#failure(\`cannot join network of a non running container: \${this.sandbox.id}\`, 128);
    }
    for (const { hostPath } of this.config.mounts ?? []) {
      // As the engine does with binds: what is not there becomes a directory.
      if (hostPath && !(await this.#node.hostFiles.exists(hostPath))) await this.#node.hostFiles.mkdirAll(hostPath, 0o755);
    }
    const workingDir = this.config.workingDir || this.image.definition.workingDir || '/';
    if (!(await this.#files.exists(workingDir))) this.#files.seed(\`\${workingDir}/.keep\`, '');
    const machine = this.#machine(network);
    const env = this.#environment();
    const argv = this.life.argv;
    let program: Awaited<ReturnType<Life['program']>>;
    try {
      program = await this.life.program(machine, { argv, cwd: workingDir, env });
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      throw this.#failure(error.message, error.exitCode);
    }
    this.machine = machine;
    this.startedAt = this.#node.clock.now();
    this.state = 'CONTAINER_RUNNING';
    if (this.config.stdin) this.stdin = new Pipe();
    const output = (stream: 'stdout' | 'stderr') => ({ write: (text: string) => this.#write(stream, text) });
    const init = machine.spawn(program, {
      argv,
      env,
      cwd: workingDir,
      stdin: this.stdin ?? emptyInput,
      stdout: output('stdout'),
      stderr: output(this.config.tty ? 'stdout' : 'stderr'),
    });
    void init.exited.then((code) => this.#exit(code));
    this.publish('CONTAINER_STARTED_EVENT');
  }

  /** Also hands what process 1 writes to \`listener\`, until the function that comes back is called. */
  tap(listener: (stream: 'stdout' | 'stderr', text: string) => void): () => void {
    this.#taps.add(listener);
    return () => void this.#taps.delete(listener);
  }

  #write(stream: 'stdout' | 'stderr', text: string): void {
    this.log.write(stream, text);
    for (const tap of this.#taps) tap(stream, text);
  }

  /** Ends it: the stop signal, then, after so many seconds, SIGKILL. Fine when it does not run. */
  async stop(seconds: number): Promise<void> {
    const init = this.machine?.init;
    if (!this.running || !init) return;
    if (seconds > 0) {
      this.machine?.signalInit(this.stopSignal);
      const overtime = new AbortController();
      await Promise.race([init.exited, sleep(this.#node.clock, seconds * 1000, overtime.signal).catch(() => undefined)]);
      overtime.abort();
    }
    this.machine?.signalInit('KILL');
    await init.exited;
  }

  /** Ends process 1 with that code, as if it had chosen to. */
  async end(code: number): Promise<void> {
    const init = this.machine?.init;
    if (!this.running || !init) throw new CriError('FailedPrecondition', \`container \${this.id} does not run: it can't be made to exit\`);
    init.exit(code);
    await init.exited;
  }

  get stopSignal(): SignalName {
    const asked = this.config.stopSignal ?? this.image.definition.stopSignal ?? 'SIGTERM';
    return parseSignal(asked) ?? 'TERM';
  }

  status(): ContainerStatus {
    const user = userOf(this.config, this.image.definition);
    return {
      id: this.id,
      metadata: this.config.metadata,
      state: this.state,
      createdAt: toNanoseconds(this.createdAt),
      startedAt: toNanoseconds(this.startedAt ?? instant(0)),
      finishedAt: toNanoseconds(this.finishedAt ?? instant(0)),
      exitCode: this.exitCode,
      image: { image: [...this.image.repoTags][0] ?? this.config.image.image },
      imageRef: this.image.id,
      imageId: this.image.id,
      reason: this.reason,
      message: this.message,
      labels: this.config.labels,
      annotations: this.config.annotations,
      mounts: this.config.mounts ?? [],
      logPath: this.#logPath(),
      resources: { linux: this.resources },
      user: user && { linux: { ...user, supplementalGroups: this.config.linux?.securityContext?.supplementalGroups ?? [] } },
      stopSignal: this.config.stopSignal ?? this.image.definition.stopSignal ?? 'SIGTERM',
    };
  }

  summary(): Container {
    return {
      id: this.id,
      podSandboxId: this.sandbox.id,
      metadata: this.config.metadata,
      image: this.config.image,
      imageRef: this.image.id,
      imageId: this.image.id,
      state: this.state,
      createdAt: toNanoseconds(this.createdAt),
      labels: this.config.labels,
      annotations: this.config.annotations,
    };
  }

  /** Tells everybody who listens. */
  publish(type: ContainerEventType): void {
    this.#node.events.publish(() => ({
      containerId: this.id,
      containerEventType: type,
      createdAt: toNanoseconds(this.#node.clock.now()),
      podSandboxStatus: this.#node.sandboxes.get(this.sandbox.id)?.status(),
      containersStatuses: this.#node.containersOf(this.sandbox.id).map((container) => container.status()),
    }));
  }

  #exit(code: number): void {
    this.state = 'CONTAINER_EXITED';
    this.finishedAt = this.#node.clock.now();
    this.exitCode = code;
    this.reason = this.machine?.oomKilled ? 'OOMKilled' : code === 0 ? 'Completed' : 'Error';
    this.log.end();
    this.publish('CONTAINER_STOPPED_EVENT');
  }

  /** Records a start that failed. The engine leaves such a container as exited without ever having run. */
  #failure(cause: string, exitCode: number): CriError {
    this.state = 'CONTAINER_EXITED';
    this.startedAt = this.createdAt;
    this.finishedAt = this.createdAt;
    this.exitCode = exitCode;
    this.reason = 'ContainerCannotRun';
    this.message = cause;
    this.log.end();
    return new CriError('Unknown', \`failed to start container "\${this.id}": Error response from daemon: \${cause}\`);
  }

  #machine(network: NonNullable<SandboxRecord['network']>): Machine {
    const node = this.#node;
    const { metadata, hostname } = this.sandbox.config;
    const user = userOf(this.config, this.image.definition);
    return new Machine({
      clock: node.clock,
      random: node.random.fork(\`\${metadata.uid}/\${this.config.metadata.name}/\${this.config.metadata.attempt}\`),
      files: this.#files,
      network,
      resolveHost: (host) => node.network.resolve(host, network),
      hostname: hostname || (this.sandbox.hostNetwork ? 'node' : metadata.name),
      user: user ?? { uid: 0, gid: 0 },
      memoryLimit: () => this.resources.memoryLimitInBytes || undefined,
      nodeMemory: node.nodeMemory,
      sharedPidNamespace: (this.config.linux?.securityContext?.namespaceOptions?.pid ?? 'CONTAINER') !== 'CONTAINER',
      lookup: lookupIn(this.image.definition),
    });
  }

  #environment(): Map<string, string> {
    const { definition } = this.image;
    return new Map([
      ['PATH', searchPath],
      ['HOSTNAME', this.sandbox.config.hostname || this.sandbox.config.metadata.name],
      ['HOME', '/root'],
      ...Object.entries(definition.env ?? {}),
      ...(this.config.envs ?? []).map(({ key, value }): [string, string] => [key, value]),
    ]);
  }

  #logPath(): string {
    const directory = this.sandbox.config.logDirectory;
    return directory && this.config.logPath ? \`\${directory}/\${this.config.logPath}\` : this.config.logPath;
  }
}
`;export{e as default};
//# sourceMappingURL=container-record-BsqzeFvG.js.map