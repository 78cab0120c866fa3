/**
 * Implements a Docker Engine in memory for tests. It stores containers and images, records calls, and fails on request.
 */
import type { Context } from '@podscope/trace';
import type { ContainerCreateBody } from '../docker/create-body.ts';
import { DockerError, responseError } from '../docker/error.ts';
import type {
  DockerArgs,
  DockerClient,
  DockerFilters,
  DockerOperation,
  ExecOutput,
  LogsArgs,
  OutputFrame,
  ProcessConnection,
  PullImageArgs,
} from '../docker/port.ts';
import * as schemas from '../docker/schemas.ts';

/** A recorded call. */
export interface RecordedCall {
  readonly operation: DockerOperation;
  readonly args: unknown;
}

interface FakeContainer {
  readonly id: string;
  readonly name: string;
  readonly body: ContainerCreateBody;
  status: 'created' | 'running' | 'exited';
  exitCode: number;
}

const zeroTime = '0001-01-01T00:00:00Z';
const createdAt = '2026-01-01T00:00:00.000000001Z';
const startedAt = '2026-01-01T00:00:01.5Z';
const finishedAt = '2026-01-01T00:00:02Z';

/** Returns the id of an image by its name. */
export const fakeImageId = (name: string): string =>
  `sha256:${Buffer.from(name).toString('hex').padEnd(64, '0').slice(0, 64)}`;

/** The Docker Engine in memory. */
export class FakeDocker implements DockerClient {
  readonly apiVersion: string = '1.41';
  readonly endpoint = 'unix:///fake/docker.sock';
  readonly calls: RecordedCall[] = [];
  readonly containers = new Map<string, FakeContainer>();
  readonly images = new Set<string>();
  /** Values that replace those in the answer to `GET /info`. */
  information: Partial<schemas.DockerInfo> = {};
  logFrames: readonly OutputFrame[] = [];
  pullMessages: readonly schemas.PullMessage[] = [];
  #lastId = 0;
  readonly #failures: { operation: DockerOperation; error: Error; when: (args: object) => boolean }[] = [];

  /** Makes the next matching call of an operation fail with this error. */
  failNext(operation: DockerOperation, error: Error, when: (args: object) => boolean = () => true): void {
    this.#failures.push({ operation, error, when });
  }

  /** Returns the operations that were called since the last call of this method. */
  takeCalls(): DockerOperation[] {
    return this.calls.splice(0).map(({ operation }) => operation);
  }

  /** Adds a container as another client of the engine would. */
  plant(name: string, body: Partial<ContainerCreateBody> = {}, status: FakeContainer['status'] = 'running'): string {
    const id = (++this.#lastId).toString(16).padStart(64, 'f');
    this.containers.set(id, {
      id,
      name,
      body: { Image: 'busybox', Labels: {}, HostConfig: {}, ...body },
      status,
      exitCode: 0,
    });
    return id;
  }

  /** Makes a container exit. */
  exit(id: string, exitCode: number): void {
    const container = this.#find(id);
    container.status = 'exited';
    container.exitCode = exitCode;
  }

  async version(_ctx: Context, args: DockerArgs<'version'>): Promise<schemas.DockerVersion> {
    await this.#record('version', args);
    return schemas.versionSchema.parse({ Version: '20.10.24', ApiVersion: this.apiVersion });
  }
  async info(_ctx: Context, args: DockerArgs<'info'>): Promise<schemas.DockerInfo> {
    await this.#record('info', args);
    return {
      ...schemas.infoSchema.parse({ DockerRootDir: '/var/lib/docker', Runtimes: { runc: {}, other: {} } }),
      ...this.information,
    };
  }
  async diskUsage(_ctx: Context, args: DockerArgs<'diskUsage'>): Promise<schemas.DiskUsage> {
    await this.#record('diskUsage', args);
    return { LayersSize: 1000, Containers: [{ SizeRw: 10 }, { SizeRw: 5 }] };
  }
  async listContainers(_ctx: Context, args: DockerArgs<'listContainers'>): Promise<schemas.ContainerSummary[]> {
    await this.#record('listContainers', args);
    const { label = [], id = [], ancestor } = args.filters;
    return [...this.containers.values()]
      .filter((each) => args.all || each.status === 'running')
      .filter((each) => !ancestor || ancestor.includes(fakeImageId(each.body.Image)))
      .filter(
        (each) =>
          id.every((prefix) => each.id.startsWith(prefix)) && label.every((text) => hasLabel(each.body.Labels, text)),
      )
      .map(summaryOf);
  }
  async inspectContainer(_ctx: Context, args: DockerArgs<'inspectContainer'>): Promise<schemas.ContainerInspect> {
    await this.#record('inspectContainer', args);
    return inspectOf(this.#find(args.id, true));
  }
  async createContainer(_ctx: Context, args: DockerArgs<'createContainer'>): Promise<schemas.CreatedContainer> {
    await this.#record('createContainer', args);
    const taken = [...this.containers.values()].find((each) => each.name === args.name);
    if (taken) {
      const text =
        `Conflict. The container name "/${args.name}" is already in use by container "${taken.id}". You have to ` +
        'remove (or rename) that container to be able to reuse that name.';
      throw responseError(409, text);
    }
    const id = (++this.#lastId).toString(16).padStart(64, 'a');
    this.containers.set(id, { id, name: args.name, body: args.body, status: 'created', exitCode: 0 });
    return { Id: id, Warnings: [] };
  }
  async startContainer(_ctx: Context, args: DockerArgs<'startContainer'>): Promise<void> {
    await this.#record('startContainer', args);
    this.#find(args.id).status = 'running';
  }
  async stopContainer(_ctx: Context, args: DockerArgs<'stopContainer'>): Promise<void> {
    await this.#record('stopContainer', args);
    const container = this.#find(args.id);
    if (container.status === 'running') this.exit(args.id, 143);
  }
  async removeContainer(_ctx: Context, args: DockerArgs<'removeContainer'>): Promise<void> {
    await this.#record('removeContainer', args);
    const { id, status } = this.#find(args.id, true);
    if (status === 'running' && !args.force) throw responseError(409, `You cannot remove a running container ${id}.`);
    this.containers.delete(id);
  }
  updateContainer(_ctx: Context, args: DockerArgs<'updateContainer'>): Promise<void> {
    return this.#record('updateContainer', args);
  }
  async containerStats(_ctx: Context, args: DockerArgs<'containerStats'>): Promise<schemas.DockerStats> {
    await this.#record('containerStats', args);
    return schemas.statsSchema.parse({
      cpu_stats: { cpu_usage: { total_usage: 5 } },
      memory_stats: { usage: 100, limit: 1000, stats: { total_inactive_file: 30 } },
    });
  }
  async createExec(_ctx: Context, args: DockerArgs<'createExec'>): Promise<{ readonly Id: string }> {
    await this.#record('createExec', args);
    return { Id: 'exec-1' };
  }
  async startExec(_ctx: Context, args: DockerArgs<'startExec'>): Promise<ExecOutput> {
    await this.#record('startExec', args);
    return { stdout: new TextEncoder().encode('out'), stderr: new Uint8Array() };
  }
  async inspectExec(_ctx: Context, args: DockerArgs<'inspectExec'>): Promise<schemas.ExecInspect> {
    await this.#record('inspectExec', args);
    return { Running: false, ExitCode: 3, Pid: 0 };
  }
  resizeExec(_ctx: Context, args: DockerArgs<'resizeExec'>): Promise<void> {
    return this.#record('resizeExec', args);
  }
  resizeContainer(_ctx: Context, args: DockerArgs<'resizeContainer'>): Promise<void> {
    return this.#record('resizeContainer', args);
  }
  async startExecAttached(_ctx: Context, args: DockerArgs<'startExecAttached'>): Promise<ProcessConnection> {
    await this.#record('startExecAttached', args);
    return silentConnection;
  }
  async attach(_ctx: Context, args: DockerArgs<'attach'>): Promise<ProcessConnection> {
    await this.#record('attach', args);
    return silentConnection;
  }
  async listImages(_ctx: Context, args: DockerArgs<'listImages'>): Promise<schemas.ImageSummary[]> {
    await this.#record('listImages', args);
    return [...this.images].map((name) => ({
      Id: fakeImageId(name),
      RepoTags: [name],
      RepoDigests: [],
      Size: 7,
      VirtualSize: 7,
    }));
  }
  async inspectImage(_ctx: Context, args: DockerArgs<'inspectImage'>): Promise<schemas.ImageInspect> {
    await this.#record('inspectImage', args);
    const name = [...this.images].find((each) => each === args.ref || fakeImageId(each).startsWith(args.ref));
    if (!name) throw responseError(404, `No such image: ${args.ref}`, { kind: 'image', id: args.ref });
    return schemas.imageInspectSchema.parse({
      Id: fakeImageId(name),
      RepoTags: [name],
      Size: 7,
      Config: { User: '1000:1000' },
    });
  }
  async pullImage(_ctx: Context, args: PullImageArgs): Promise<void> {
    await this.#record('pullImage', args);
    for (const message of this.pullMessages) args.onMessage(message);
    this.images.add(`${args.fromImage}:${args.tag}`);
  }
  async removeImage(_ctx: Context, args: DockerArgs<'removeImage'>): Promise<void> {
    await this.#record('removeImage', args);
    if (!this.images.delete(args.ref))
      throw responseError(404, `No such image: ${args.ref}`, { kind: 'image', id: args.ref });
  }
  async *archive(): AsyncGenerator<Uint8Array> {
    yield new Uint8Array(1024);
  }
  async *logs(_ctx: Context, _args: LogsArgs): AsyncGenerator<OutputFrame> {
    yield* this.logFrames;
  }
  // oxlint-disable-next-line require-yield -- nothing happens here by itself
  async *events(_ctx: Context, _args: { filters: DockerFilters }): AsyncGenerator<schemas.DockerEvent> {
    await Promise.reject(new DockerError('Unavailable', 'no events here'));
  }
  close(): void {}

  async #record(operation: DockerOperation, args: object): Promise<void> {
    await Promise.resolve();
    this.calls.push({ operation, args });
    const index = this.#failures.findIndex((failure) => failure.operation === operation && failure.when(args));
    if (index >= 0) throw this.#failures.splice(index, 1)[0]?.error ?? new Error('unreachable');
  }

  #find(id: string, isNamed = false): FakeContainer {
    const container = this.containers.get(id) ?? [...this.containers.values()].find((each) => each.name === id);
    if (!container)
      throw responseError(404, `No such container: ${id}`, isNamed ? { kind: 'container', id } : undefined);
    return container;
  }
}

/** A connection to a process that exits without output. */
const silentConnection: ProcessConnection = {
  output: { [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }) },
  write: () => Promise.resolve(),
  endInput: () => undefined,
  close: () => undefined,
};

function hasLabel(labels: Readonly<Record<string, string>>, text: string): boolean {
  const [key = '', ...value] = text.split('=');
  return value.length > 0 ? labels[key] === value.join('=') : key in labels;
}

const summaryOf = ({ id, name, body, status }: FakeContainer): schemas.ContainerSummary => ({
  Id: id,
  Names: [`/${name}`],
  Image: body.Image,
  ImageID: fakeImageId(body.Image),
  Created: 1_767_225_600,
  Labels: { ...body.Labels },
  State: status,
  Status: { created: 'Created', running: 'Up 2 seconds', exited: 'Exited (1) 2 seconds ago' }[status],
});

const inspectOf = ({ id, name, body, status, exitCode }: FakeContainer): schemas.ContainerInspect =>
  schemas.containerInspectSchema.parse({
    Id: id,
    Name: `/${name}`,
    Created: createdAt,
    Image: fakeImageId(body.Image),
    State: {
      Status: status,
      Running: status === 'running',
      ExitCode: exitCode,
      StartedAt: status === 'created' ? zeroTime : startedAt,
      FinishedAt: status === 'exited' ? finishedAt : zeroTime,
    },
    Config: { Image: body.Image, User: body.User, Labels: body.Labels, Tty: body.Tty },
    HostConfig: body.HostConfig,
    NetworkSettings: { IPAddress: '172.17.0.2', Networks: {} },
  });
