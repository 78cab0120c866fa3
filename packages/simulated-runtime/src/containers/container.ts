/**
 * Implements a container of the simulated runtime: its configuration, its state, and the machine in which its processes
 * run.
 */
import { errorMessage } from '@podscope/base';
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
import { type Behavior, behaviorOf, StartError } from '../behavior/behavior.ts';
import { imageRefOf, type StoredImage } from '../images/image-store.ts';
import { type Credentials, credentialsOf } from '../kernel/credentials.ts';
import type { PidNamespace } from '../kernel/pid-namespace.ts';
import type { FileMount, FileSystem } from '../machine/file-system.ts';
import { Machine } from '../machine/machine.ts';
import { parseSignal, type SignalName } from '../machine/signals.ts';
import { emptyInput, type Input, type Output, Pipe } from '../machine/streams.ts';
import { type SimulatedNode } from '../node.ts';
import { lookupIn } from '../programs/lookup.ts';
import { defaultNamespaces, type SimulatedSandbox } from '../sandboxes/sandbox.ts';
import type { ContainerEvents } from '../service/container-events.ts';
import { Terminal } from '../streams/terminal.ts';
import { containerFileSystem, fileMountsOf, type ImageVolume, logPathOf } from './container-files.ts';
import { ContainerLog } from './container-log.ts';
import type { LogFile } from './log-files.ts';
import { type User, unknownUser, userOf } from './users.ts';

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface ContainerDependencies {
  readonly node: SimulatedNode;
  readonly events: ContainerEvents;
  /** All containers by id. The target of a shared PID namespace is among them. */
  readonly containers: ReadonlyMap<string, SimulatedContainer>;
}

export class SimulatedContainer {
  readonly id: string;
  readonly sandbox: SimulatedSandbox;
  readonly config: ContainerConfig;
  readonly image: StoredImage;
  readonly log: ContainerLog;
  readonly createdAt: Instant;
  readonly behavior: Behavior;
  resources: LinuxContainerResources;
  machine: Machine | undefined;
  state: ContainerState = 'CONTAINER_CREATED';
  startedAt: Instant | undefined;
  finishedAt: Instant | undefined;
  exitCode = 0;
  reason = '';
  message = '';
  /** The standard input of process 1; undefined unless the configuration requests it. */
  stdin: Pipe | undefined;
  /** The terminal of process 1; undefined unless the configuration requests it. */
  terminal: Terminal | undefined;
  readonly #dependencies: ContainerDependencies;
  readonly #node: SimulatedNode;
  readonly #user: User | undefined;
  readonly #mounts: readonly FileMount[];
  readonly #files: FileSystem;
  /** The path of the log file; empty when the configuration names none. */
  readonly #logPath: string;
  #logFile: LogFile | undefined;
  /** Resolves when the start in progress has succeeded or failed. */
  #starting: Promise<void> | undefined;
  /** Resolves when the exit of process 1 has been recorded. */
  readonly #ended = Promise.withResolvers<void>();
  readonly #listeners = new Set<(stream: 'stdout' | 'stderr', text: string) => void>();

  /**
   * Creates a container that hasn't been started.
   * @throws CriError when the container's script can't be parsed or its security context is invalid
   */
  constructor(
    dependencies: ContainerDependencies,
    sandbox: SimulatedSandbox,
    config: ContainerConfig,
    image: StoredImage,
    imageVolumes: readonly ImageVolume[] = [],
  ) {
    const { node } = dependencies;
    this.#dependencies = dependencies;
    this.#node = node;
    this.id = node.newId();
    this.sandbox = sandbox;
    this.config = config;
    this.image = image;
    this.createdAt = node.clock.now();
    this.log = new ContainerLog(node.clock);
    this.resources = config.linux?.resources ?? {};
    this.#user = userOf(config, image.definition);
    this.#logPath = logPathOf(sandbox.config.logDirectory, config.logPath);
    this.#mounts = fileMountsOf(config);
    this.#files = containerFileSystem({
      hostFiles: node.hostFiles,
      mounts: this.#mounts,
      imageVolumes,
      config,
      image: image.definition,
      sandbox,
      isRoot: (this.#user?.uid ?? 0) === 0,
    });
    this.behavior = behaviorOf(node.scripts, sandbox.config, config, image.definition);
  }

  get running(): boolean {
    return this.state === 'CONTAINER_RUNNING';
  }

  get usedBytes(): number {
    return this.#files.usedBytes;
  }

  /**
   * Starts process 1.
   * @throws CriError when it can't be started; the container's state is then EXITED
   */
  async start(): Promise<void> {
    if (this.#starting) throw new CriError('FailedPrecondition', `container ${this.id} is being started`);
    const starting = this.#start();
    this.#starting = starting.catch(() => undefined);
    try {
      await starting;
    } finally {
      this.#starting = undefined;
    }
  }

  async #start(): Promise<void> {
    const network = this.sandbox.network;
    if (!this.sandbox.ready || !network) {
      throw this.#failure(`cannot join network of a non running container: ${this.sandbox.id}`, 128);
    }
    for (const { hostPath } of this.#mounts) {
      // As the engine does, creates a missing source of a bind mount as a directory.
      if (!(await this.#node.hostFiles.exists(hostPath))) await this.#node.hostFiles.mkdirAll(hostPath, 0o755);
    }
    const workingDir = this.config.workingDir || this.image.definition.workingDir || '/';
    if (!(await this.#files.exists(workingDir))) this.#files.seed(`${workingDir}/.keep`, '');
    let machine: Machine;
    try {
      machine = this.#machine(network, this.#pidNamespace(), await this.#credentials());
    } catch (error) {
      throw this.#failure(errorMessage(error), 128);
    }
    const env = this.#environment();
    const argv = this.behavior.argv;
    let program: Awaited<ReturnType<Behavior['program']>>;
    try {
      program = await this.behavior.program(machine, { argv, cwd: workingDir, env });
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      throw this.#failure(error.message, error.exitCode, error.reason);
    }
    try {
      if (this.#logPath !== '') this.#logFile = await this.#node.logFiles.open(this.#logPath, this.log);
    } catch (error) {
      throw this.#failure(`failed to create the log file ${this.#logPath}: ${errorMessage(error)}`, 128);
    }
    // The sandbox may have ended while this function waited.
    if (!this.sandbox.ready)
      throw this.#failure(`cannot join network of a non running container: ${this.sandbox.id}`, 128);
    this.machine = machine;
    this.startedAt = this.#node.clock.now();
    this.state = 'CONTAINER_RUNNING';
    const init = machine.spawn(program, { argv, env, cwd: workingDir, ...this.#stdio() });
    void init.exited.then((code) => this.#exit(code));
    this.publish('CONTAINER_STARTED_EVENT');
  }

  /** Returns the streams of process 1. If it has a terminal, all three are the terminal. */
  #stdio(): { readonly stdin: Input; readonly stdout: Output; readonly stderr: Output } {
    if (this.config.tty) {
      const terminal = new Terminal(
        (text) => this.#write('stdout', text),
        () => this.machine?.init?.signal('INT'),
      );
      this.terminal = terminal;
      return { stdin: terminal, stdout: terminal, stderr: terminal };
    }
    if (this.config.stdin) this.stdin = new Pipe();
    const output = (stream: 'stdout' | 'stderr') => ({ write: (text: string) => this.#write(stream, text) });
    return { stdin: this.stdin ?? emptyInput, stdout: output('stdout'), stderr: output('stderr') };
  }

  /**
   * Calls `listener` with the output of process 1 from now on.
   * @returns a function that removes the listener
   */
  onOutput(listener: (stream: 'stdout' | 'stderr', text: string) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  #write(stream: 'stdout' | 'stderr', text: string): void {
    this.log.write(stream, text);
    for (const listener of this.#listeners) listener(stream, text);
  }

  /**
   * Sends the stop signal, and SIGKILL after `seconds`. Resolves when process 1 has exited. Does nothing when the
   * container isn't running.
   */
  async stop(seconds: number): Promise<void> {
    // If the container is being started, it is stopped as soon as it runs.
    if (this.#starting) await this.#starting;
    const init = this.machine?.init;
    if (!this.running || !init) return;
    if (seconds > 0) {
      this.machine?.signalInit(this.stopSignal);
      const graceTimer = new AbortController();
      await Promise.race([
        init.exited,
        sleep(this.#node.clock, seconds * 1000, graceTimer.signal).catch(() => undefined),
      ]);
      graceTimer.abort();
    }
    this.machine?.signalInit('KILL');
    await this.#ended.promise;
  }

  /**
   * Makes process 1 exit with `code`, as if the program had ended.
   * @throws CriError FailedPrecondition when the container isn't running
   */
  async end(code: number): Promise<void> {
    const init = this.machine?.init;
    if (!this.running || !init)
      throw new CriError('FailedPrecondition', `container ${this.id} is not running: it can't be made to exit`);
    init.exit(code);
    await this.#ended.promise;
  }

  get stopSignal(): SignalName {
    const configured = this.config.stopSignal ?? this.image.definition.stopSignal ?? 'SIGTERM';
    return parseSignal(configured) ?? 'TERM';
  }

  status(): ContainerStatus {
    const user = this.#user;
    return {
      id: this.id,
      metadata: this.config.metadata,
      state: this.state,
      createdAt: toNanoseconds(this.createdAt),
      startedAt: toNanoseconds(this.startedAt ?? instant(0)),
      finishedAt: toNanoseconds(this.finishedAt ?? instant(0)),
      exitCode: this.exitCode,
      image: { image: [...this.image.repoTags][0] ?? this.config.image.image },
      imageRef: imageRefOf(this.image, this.#node.release),
      imageId: this.image.id,
      reason: this.reason,
      message: this.message,
      labels: this.config.labels,
      annotations: this.config.annotations,
      mounts: this.config.mounts ?? [],
      logPath: this.#logPath,
      resources: { linux: this.resources },
      user: user && {
        linux: { ...user, supplementalGroups: this.config.linux?.securityContext?.supplementalGroups ?? [] },
      },
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

  /** Emits a container event with the current statuses of the pod. */
  publish(type: ContainerEventType): void {
    this.#dependencies.events.publish(type, this.id, this.sandbox.id);
  }

  /**
   * Continues the log in a new file after the old one was rotated.
   * @throws CriError FailedPrecondition when the container isn't running
   */
  async reopenLog(): Promise<void> {
    if (!this.running) throw new CriError('FailedPrecondition', `container ${this.id} is not running`);
    await this.#logFile?.reopen();
  }

  /** Records the exit once the log file is complete, so that a client that sees the exit finds all output. */
  #exit(code: number): void {
    this.finishedAt = this.#node.clock.now();
    this.log.end();
    const written = this.#logFile?.end();
    if (written) void written.then(() => this.#recordExit(code));
    else this.#recordExit(code);
  }

  #recordExit(code: number): void {
    this.state = 'CONTAINER_EXITED';
    this.exitCode = code;
    this.reason = this.machine?.oomKilled ? 'OOMKilled' : code === 0 ? 'Completed' : 'Error';
    this.publish('CONTAINER_STOPPED_EVENT');
    this.#ended.resolve();
  }

  /**
   * Records a failed start and returns its error. As in the engine, the container is then exited, although it never
   * ran.
   */
  #failure(cause: string, exitCode: number, reason = 'ContainerCannotRun'): CriError {
    this.state = 'CONTAINER_EXITED';
    this.startedAt = this.createdAt;
    this.finishedAt = this.createdAt;
    this.exitCode = exitCode;
    this.reason = reason;
    this.message = cause;
    this.log.end();
    return new CriError('Unknown', `failed to start container "${this.id}": Error response from daemon: ${cause}`);
  }

  #machine(
    network: NonNullable<SimulatedSandbox['network']>,
    pidNamespace: PidNamespace,
    credentials: Credentials,
  ): Machine {
    const node = this.#node;
    const { sandbox } = this;
    const { metadata } = sandbox.config;
    return new Machine({
      clock: node.clock,
      random: node.random.fork(`${metadata.uid}/${this.config.metadata.name}/${this.config.metadata.attempt}`),
      files: this.#files,
      network,
      resolveHost: (host) => node.network.resolve(host, network),
      credentials,
      namespaces: sandbox.namespaces.namespaces,
      pidNamespace,
      sysctls: sandbox.sysctls,
      limits: () => this.resources,
      nodeMemory: node.nodeMemory,
      lookup: lookupIn(this.image.definition),
    });
  }

  /**
   * Returns the PID namespace of the container.
   * @throws Error with the engine's text when the target container of the namespace isn't running
   */
  #pidNamespace(): PidNamespace {
    const { pid, targetId = '' } = this.config.linux?.securityContext?.namespaceOptions ?? defaultNamespaces;
    const target = this.#dependencies.containers.get(targetId);
    if (pid === 'TARGET' && !target?.running)
      throw new Error(`cannot join PID of a non running container: ${targetId}`);
    return this.sandbox.namespaces.pidNamespace(pid, target?.machine?.pidNamespace);
  }

  /**
   * Returns the credentials of the container's processes.
   * @throws Error with the engine's text when the security context is invalid
   */
  async #credentials(): Promise<Credentials> {
    if (!this.#user) throw new Error(unknownUser(this.config, this.image.definition));
    return credentialsOf(this.#user, this.config.linux?.securityContext, async (path) => {
      const content = await this.#node.hostFiles.readFile(path);
      return content && new TextDecoder().decode(content);
    });
  }

  #environment(): Map<string, string> {
    const { definition } = this.image;
    return new Map([
      ['PATH', searchPath],
      ['HOSTNAME', this.sandbox.hostname],
      ...(this.config.tty ? [['TERM', 'xterm'] as const] : []),
      ['HOME', '/root'],
      ...Object.entries(definition.env ?? {}),
      ...(this.config.envs ?? []).map(({ key, value }): [string, string] => [key, value]),
    ]);
  }
}
