/** Makes each call with dockerode. For the spans, describes the HTTP request that dockerode would send. */
import Docker, { type DockerOptions } from 'dockerode';
import type { DockerArgs, DockerFilters, DockerOperation, LogsArgs } from './port.ts';

/** An HTTP request. Its path is relative to `/v<apiVersion>`. */
export interface DockerRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/** The members that dockershim reads from the request that dockerode passes to its transport. */
interface DialOptions {
  readonly method: DockerRequest['method'];
  /** The path. It ends with `?` if the options are the query; otherwise the options are the body. */
  readonly path: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

type Callback = (error: unknown, answer: unknown) => void;

/**
 * A call of dockerode. Its result isn't used, because dockerode omits parts of the answers, for example the warnings of
 * a create call.
 */
export type DockerCall = (engine: Docker) => Promise<unknown>;

/** Returns a dockerode client that passes its requests to `send` and doesn't use its own transport. */
export function engineOver(send: (request: DockerRequest, done: Callback) => void): Docker {
  const dial = (options: DialOptions, callback: Callback): void => send(requestOf(options), callback);
  // dockerode's types lack `modem`.
  const options: DockerOptions & { modem: { dial: typeof dial } } = { modem: { dial } };
  return new Docker(options);
}

/** Returns a value of the query as Docker's own client writes it: 1 for true, no value for false. */
function queryValue(value: unknown): string | number | undefined {
  if (typeof value === 'boolean') return value ? 1 : undefined;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** The options that dockerode itself uses and doesn't send. */
const ownOptions: ReadonlySet<string> = new Set(['hijack', '_query', '_body']);

function requestOf({ method, path, options = {} }: DialOptions): DockerRequest {
  const [plain = path] = path.split('?');
  const own = Object.fromEntries(Object.entries(options).filter(([key]) => !ownOptions.has(key)));
  const explicit = '_query' in options || '_body' in options;
  const takesQuery = path.endsWith('?');
  const query: unknown = explicit ? options['_query'] : takesQuery ? own : {};
  const body: unknown = explicit ? options['_body'] : takesQuery ? {} : own;
  const entries = Object.entries(query ?? {}).map(([key, value]): [string, string | number | undefined] => [
    key,
    queryValue(value),
  ]);
  const isEmpty = typeof body !== 'object' || body === null || Object.keys(body).length === 0;
  return {
    method,
    path: plain,
    ...(entries.length > 0 ? { query: Object.fromEntries(entries) } : {}),
    ...(isEmpty ? {} : { body }),
  };
}

// dockerode doesn't escape names in paths, so they are escaped here.
const container = (engine: Docker, id: string): Docker.Container => engine.getContainer(encodeURIComponent(id));
const exec = (engine: Docker, id: string): Docker.Exec => engine.getExec(encodeURIComponent(id));
/** Returns the image for a reference. All characters of the reference except slashes are escaped. */
const image = (engine: Docker, ref: string): Docker.Image =>
  engine.getImage(ref.split('/').map(encodeURIComponent).join('/'));

type Calls = { readonly [O in DockerOperation]: (engine: Docker, args: DockerArgs<O>) => Promise<unknown> };

const calls: Calls = {
  version: (engine) => engine.version(),
  info: (engine) => engine.info(),
  diskUsage: (engine) => engine.df(),
  listContainers: (engine, { all, filters }) =>
    engine.listContainers({ all, filters: JSON.stringify(filters), limit: 0 }),
  inspectContainer: (engine, { id, size }) => {
    // dockerode's types lack `size`.
    const options: Docker.ContainerInspectOptions & { size?: boolean } = size ? { size } : {};
    return container(engine, id).inspect(options);
  },
  createContainer: (engine, { name, body }) => {
    // Without these members, dockerode would also send the body as the query.
    const options = { name, _query: { name }, _body: body };
    return engine.createContainer(options);
  },
  startContainer: (engine, { id }) => container(engine, id).start(),
  stopContainer: (engine, { id, timeout }) => container(engine, id).stop({ t: timeout }),
  removeContainer: (engine, { id, force }) => container(engine, id).remove({ force, v: true }),
  updateContainer: (engine, { id, body }) => container(engine, id).update(body),
  containerStats: (engine, { id }) => {
    // The engine sends a stream unless the query has the text `false`, so both values are texts.
    const options = { stream: false, _query: { stream: 'false', 'one-shot': 'true' } } as const;
    return container(engine, id).stats(options);
  },
  createExec: (engine, { id, body }) => container(engine, id).exec({ ...body, Cmd: [...body.Cmd] }),
  startExec: (engine, { id }) => exec(engine, id).start({ Detach: false, Tty: false, hijack: true }),
  inspectExec: (engine, { id }) => exec(engine, id).inspect(),
  startExecAttached: (engine, { id, tty }) => exec(engine, id).start({ Detach: false, Tty: tty, hijack: true }),
  attach: (engine, { id, stdin, stdout, stderr }) =>
    container(engine, id).attach({ stream: true, stdin, stdout, stderr, hijack: true }),
  resizeExec: (engine, { id, width, height }) => exec(engine, id).resize({ h: height, w: width }),
  resizeContainer: (engine, { id, width, height }) => container(engine, id).resize({ h: height, w: width }),
  listImages: (engine, { filters }) =>
    engine.listImages(Object.keys(filters).length > 0 ? { filters: JSON.stringify(filters) } : {}),
  inspectImage: (engine, { ref }) => image(engine, ref).inspect(),
  pullImage: (engine, { fromImage, tag }) => engine.createImage({ fromImage, tag }),
  removeImage: (engine, { ref }) => image(engine, ref).remove(),
};

/** Returns dockerode's call for an operation with its arguments. */
export const dockerCall =
  <O extends DockerOperation>(operation: O, args: DockerArgs<O>): DockerCall =>
  (engine) =>
    calls[operation](engine, args);

/** Returns dockerode's call that reads a container's output. */
export const logsCall =
  ({ id, follow, tail, since }: LogsArgs): DockerCall =>
  (engine) => {
    const options = { stdout: true, stderr: true, timestamps: true, tail, since };
    return follow ? container(engine, id).logs({ ...options, follow }) : container(engine, id).logs(options);
  };

/** Returns dockerode's call that reads a path of a container's file system. */
export const archiveCall =
  ({ id, path }: { readonly id: string; readonly path: string }): DockerCall =>
  (engine) =>
    container(engine, id).getArchive({ path });

/**
 * Returns dockerode's call that reads the engine's events.
 * @param since the instant from which to read, in Unix seconds with a fraction
 */
export const eventsCall =
  (filters: DockerFilters, since?: string): DockerCall =>
  (engine) =>
    engine.getEvents({ filters: JSON.stringify(filters), ...(since === undefined ? {} : { since: Number(since) }) });

/** Returns the request that dockerode would send for a call. Doesn't send it. */
export function describeCall(call: DockerCall): DockerRequest {
  const sent: DockerRequest[] = [];
  // The request is never answered, so the call's promise stays pending.
  void call(engineOver((request) => void sent.push(request)));
  const [request] = sent;
  if (!request) throw new Error('dockerode sent no request');
  return request;
}

/** Returns the path with its query string. */
export function requestPath({ path, query = {} }: DockerRequest): string {
  const entries = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return entries.length > 0 ? `${path}?${new URLSearchParams(entries).toString()}` : path;
}
