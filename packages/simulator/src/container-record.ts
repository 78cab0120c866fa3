/** One container of the simulated runtime: its configuration, its state, and the machine it runs in. */
import {
  type Container,
  type ContainerConfig,
  type ContainerEventType,
  type ContainerState,
  type ContainerStatus,
  CriError,
  type LinuxContainerResources,
  type NamespaceOption,
  resolvConf,
} from '@podscope/cri';
import { type Instant, instant, sleep, toNanoseconds } from '@podscope/trace';
import type { StoredImage } from './images/image-store.ts';
import { type Credentials, credentialsOf } from './kernel/credentials.ts';
import type { PidNamespace } from './kernel/pid-namespace.ts';
import { type Life, lifeOf, StartError } from './life/life.ts';
import type { LogFile } from './log-files.ts';
import { ContainerLog } from './logs.ts';
import { type FileMount, FileSystem, resolvePath } from './machine/file-system.ts';
import { Machine } from './machine/machine.ts';
import { parseSignal, type SignalName } from './machine/signals.ts';
import { emptyInput, type Input, type Output, Pipe } from './machine/streams.ts';
import { messageOf, type SimulatedNode } from './node.ts';
import { lookupIn } from './programs/lookup.ts';
import type { SandboxRecord } from './sandbox-record.ts';
import { Terminal } from './streams/terminal.ts';
import { group, passwd, type User, unknownUser, userOf } from './users.ts';

/** Devices that only a privileged container sees. */
const hostDevices = ['/dev/fuse', '/dev/kmsg', '/dev/loop-control', '/dev/sda'];

/** What the interface means by saying nothing. */
const unsaidNamespaces: NamespaceOption = { network: 'POD', pid: 'POD', ipc: 'POD' };

const searchPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Where a container's log goes; empty when nobody asks for a file. @throws CriError when that is outside of the pod's directory of logs */
function logPathOf(directory: string | undefined, path: string): string {
  const root = resolvePath('/', directory ?? '');
  const resolved = resolvePath(root, path);
  if (path && !resolved.startsWith(`${root === '/' ? '' : root}/`))
    throw new CriError('InvalidArgument', `log path ${JSON.stringify(path)} leads out of the log directory ${directory}`);
  return directory && path ? resolved : '';
}

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
  readonly #user: User | undefined;
  readonly #mounts: readonly FileMount[];
  readonly #files: FileSystem;
  /** Empty: nobody asks for a file. */
  readonly #logPath: string;
  #logFile: LogFile | undefined;
  /** Settles when a start that is under way has come to its end, whichever. */
  #starting: Promise<void> | undefined;
  /** Resolves when the end of process 1 is recorded. */
  readonly #ended = Promise.withResolvers<void>();

  /** @throws CriError when its script can't be read, or its security context makes no sense. */
  constructor(node: SimulatedNode, sandbox: SandboxRecord, config: ContainerConfig, image: StoredImage) {
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
    this.#mounts = (config.mounts ?? []).flatMap(({ containerPath, hostPath, readonly }) =>
      hostPath ? [{ containerPath: resolvePath('/', containerPath), hostPath: resolvePath('/', hostPath), readonly: readonly ?? false }] : [],
    );
    this.#files = this.#fileSystem();
    this.life = lifeOf(node.scripts, sandbox.config, config, image.definition);
  }

  /** What process 1 reads, where the configuration opens it. */
  stdin: Pipe | undefined;
  /** The terminal of process 1, where the configuration gives it one. */
  terminal: Terminal | undefined;
  readonly #taps = new Set<(stream: 'stdout' | 'stderr', text: string) => void>();

  get running(): boolean {
    return this.state === 'CONTAINER_RUNNING';
  }

  get usedBytes(): number {
    return this.#files.usedBytes;
  }

  /** Starts process 1. @throws CriError when it can't be started; the container has exited then. */
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
      // As the engine does with binds: what is not there becomes a directory.
      if (!(await this.#node.hostFiles.exists(hostPath))) await this.#node.hostFiles.mkdirAll(hostPath, 0o755);
    }
    const workingDir = this.config.workingDir || this.image.definition.workingDir || '/';
    if (!(await this.#files.exists(workingDir))) this.#files.seed(`${workingDir}/.keep`, '');
    let machine: Machine;
    try {
      machine = this.#machine(network, this.#pidNamespace(), await this.#credentials());
    } catch (error) {
      throw this.#failure(messageOf(error), 128);
    }
    const env = this.#environment();
    const argv = this.life.argv;
    let program: Awaited<ReturnType<Life['program']>>;
    try {
      program = await this.life.program(machine, { argv, cwd: workingDir, env });
    } catch (error) {
      if (!(error instanceof StartError)) throw error;
      throw this.#failure(error.message, error.exitCode);
    }
    try {
      if (this.#logPath !== '') this.#logFile = await this.#node.logFiles.open(this.#logPath, this.log);
    } catch (error) {
      throw this.#failure(`failed to create the log file ${this.#logPath}: ${messageOf(error)}`, 128);
    }
    if (!this.sandbox.ready) throw this.#failure(`cannot join network of a non running container: ${this.sandbox.id}`, 128);
    this.machine = machine;
    this.startedAt = this.#node.clock.now();
    this.state = 'CONTAINER_RUNNING';
    const init = machine.spawn(program, { argv, env, cwd: workingDir, ...this.#stdio() });
    void init.exited.then((code) => this.#exit(code));
    this.publish('CONTAINER_STARTED_EVENT');
  }

  /** With a terminal everything is one stream, in and out. */
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

  /** Also hands what process 1 writes to `listener`, until the function that comes back is called. */
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
    // What has begun to start is ended when it runs.
    if (this.#starting) await this.#starting;
    const init = this.machine?.init;
    if (!this.running || !init) return;
    if (seconds > 0) {
      this.machine?.signalInit(this.stopSignal);
      const overtime = new AbortController();
      await Promise.race([init.exited, sleep(this.#node.clock, seconds * 1000, overtime.signal).catch(() => undefined)]);
      overtime.abort();
    }
    this.machine?.signalInit('KILL');
    await this.#ended.promise;
  }

  /** Ends process 1 with that code, as if it had chosen to. */
  async end(code: number): Promise<void> {
    const init = this.machine?.init;
    if (!this.running || !init) throw new CriError('FailedPrecondition', `container ${this.id} does not run: it can't be made to exit`);
    init.exit(code);
    await this.#ended.promise;
  }

  get stopSignal(): SignalName {
    const asked = this.config.stopSignal ?? this.image.definition.stopSignal ?? 'SIGTERM';
    return parseSignal(asked) ?? 'TERM';
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
      imageRef: this.image.id,
      imageId: this.image.id,
      reason: this.reason,
      message: this.message,
      labels: this.config.labels,
      annotations: this.config.annotations,
      mounts: this.config.mounts ?? [],
      logPath: this.#logPath,
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

  /** Goes on in a new log file. @throws CriError when it does not run */
  async reopenLog(): Promise<void> {
    if (!this.running) throw new CriError('FailedPrecondition', `container ${this.id} is not running`);
    await this.#logFile?.reopen();
  }

  /** Whoever hears of the end finds all output in the log file. */
  #exit(code: number): void {
    this.finishedAt = this.#node.clock.now();
    this.log.end();
    const written = this.#logFile?.end();
    if (written) void written.then(() => this.#finish(code));
    else this.#finish(code);
  }

  #finish(code: number): void {
    this.state = 'CONTAINER_EXITED';
    this.exitCode = code;
    this.reason = this.machine?.oomKilled ? 'OOMKilled' : code === 0 ? 'Completed' : 'Error';
    this.publish('CONTAINER_STOPPED_EVENT');
    this.#ended.resolve();
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
    return new CriError('Unknown', `failed to start container "${this.id}": Error response from daemon: ${cause}`);
  }

  #machine(network: NonNullable<SandboxRecord['network']>, pidNamespace: PidNamespace, credentials: Credentials): Machine {
    const node = this.#node;
    const { sandbox } = this;
    const { metadata } = sandbox.config;
    return new Machine({
      clock: node.clock,
      random: node.random.fork(`${metadata.uid}/${this.config.metadata.name}/${this.config.metadata.attempt}`),
      files: this.#files,
      network,
      resolveHost: (host) => node.network.resolve(host, network),
      hostname: sandbox.hostname,
      credentials,
      namespaces: sandbox.namespaces.namespaces,
      pidNamespace,
      sysctls: sandbox.sysctls,
      limits: () => this.resources,
      nodeMemory: node.nodeMemory,
      lookup: lookupIn(this.image.definition),
    });
  }

  /** @throws Error in the engine's words when the container to be joined does not run */
  #pidNamespace(): PidNamespace {
    const { pid, targetId = '' } = this.config.linux?.securityContext?.namespaceOptions ?? unsaidNamespaces;
    const target = this.#node.containers.get(targetId);
    if (pid === 'TARGET' && !target?.running) throw new Error(`cannot join PID of a non running container: ${targetId}`);
    return this.sandbox.namespaces.pidNamespace(pid, target?.machine?.pidNamespace);
  }

  /** @throws Error in the engine's words */
  async #credentials(): Promise<Credentials> {
    if (!this.#user) throw new Error(unknownUser(this.config, this.image.definition));
    return credentialsOf(this.#user, this.config.linux?.securityContext, async (path) => {
      const content = await this.#node.hostFiles.readFile(path);
      return content && new TextDecoder().decode(content);
    });
  }

  /** What the image brings, what the engine puts there, and the mounts. */
  #fileSystem(): FileSystem {
    const { config, image, sandbox } = this;
    const { readonlyRootfs: readonlyRoot, privileged = false, maskedPaths = [], readonlyPaths = [] } = config.linux?.securityContext ?? {};
    const files = new FileSystem(this.#node.hostFiles, this.#mounts, {
      readonlyRoot,
      isRoot: (this.#user?.uid ?? 0) === 0,
      ...(!privileged && { maskedPaths, readonlyPaths }),
      devices: [...(config.devices ?? []).map(({ containerPath }) => containerPath), ...(privileged ? hostDevices : [])],
    });
    const dns = resolvConf(sandbox.config.dnsConfig ?? {});
    const given = {
      '/etc/passwd': passwd,
      '/etc/group': group,
      '/etc/hostname': `${sandbox.hostname}\n`,
      '/etc/hosts': `127.0.0.1\tlocalhost\n`,
      '/etc/resolv.conf': dns === '' ? 'nameserver 127.0.0.53\n' : dns,
    };
    for (const [path, content] of Object.entries({ ...given, ...image.definition.files })) files.seed(path, content);
    return files;
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
