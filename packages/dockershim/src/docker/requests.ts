/** Describes the HTTP request of each call. The client sends it and the spans show it. */
import type { DockerArgs, DockerOperation, LogsArgs } from './port.ts';

/** One HTTP request, relative to `/v<apiVersion>`. */
export interface DockerRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

const get = (path: string, query?: DockerRequest['query']): DockerRequest => ({ method: 'GET', path, query });
const post = (path: string, query?: DockerRequest['query'], body?: unknown): DockerRequest => ({
  method: 'POST',
  path,
  query,
  body,
});

/** Returns an image reference as part of a path, with all characters but slashes escaped. */
const refPath = (ref: string): string => ref.split('/').map(encodeURIComponent).join('/');
const container = (id: string): string => `/containers/${encodeURIComponent(id)}`;
const flag = (value: boolean | undefined): 1 | undefined => (value ? 1 : undefined);

type Requests = { readonly [O in DockerOperation]: (args: DockerArgs<O>) => DockerRequest };

/** The request of each operation. */
export const dockerRequests: Requests = {
  version: () => get('/version'),
  info: () => get('/info'),
  diskUsage: () => get('/system/df'),
  listContainers: ({ all, filters }) =>
    get('/containers/json', { all: flag(all), filters: JSON.stringify(filters), limit: 0 }),
  inspectContainer: ({ id, size }) => get(`${container(id)}/json`, { size: flag(size) }),
  createContainer: ({ name, body }) => post('/containers/create', { name }, body),
  startContainer: ({ id }) => post(`${container(id)}/start`),
  stopContainer: ({ id, timeout }) => post(`${container(id)}/stop`, { t: timeout }),
  removeContainer: ({ id, force }) => ({ method: 'DELETE', path: container(id), query: { force: flag(force), v: 1 } }),
  updateContainer: ({ id, body }) => post(`${container(id)}/update`, undefined, body),
  containerStats: ({ id }) => get(`${container(id)}/stats`, { stream: 'false', 'one-shot': 'true' }),
  createExec: ({ id, body }) => post(`${container(id)}/exec`, undefined, body),
  startExec: ({ id }) => post(`/exec/${encodeURIComponent(id)}/start`, undefined, { Detach: false, Tty: false }),
  inspectExec: ({ id }) => get(`/exec/${encodeURIComponent(id)}/json`),
  startExecAttached: ({ id, tty }) =>
    post(`/exec/${encodeURIComponent(id)}/start`, undefined, { Detach: false, Tty: tty }),
  attach: ({ id, stdin, stdout, stderr }) =>
    post(`${container(id)}/attach`, { stream: 1, stdin: flag(stdin), stdout: flag(stdout), stderr: flag(stderr) }),
  resizeExec: ({ id, width, height }) => post(`/exec/${encodeURIComponent(id)}/resize`, { h: height, w: width }),
  resizeContainer: ({ id, width, height }) => post(`${container(id)}/resize`, { h: height, w: width }),
  listImages: ({ filters }) =>
    get('/images/json', { filters: Object.keys(filters).length > 0 ? JSON.stringify(filters) : undefined }),
  inspectImage: ({ ref }) => get(`/images/${refPath(ref)}/json`),
  pullImage: ({ fromImage, tag }) => post('/images/create', { fromImage, tag }),
  removeImage: ({ ref }) => ({ method: 'DELETE', path: `/images/${refPath(ref)}` }),
};

/** Returns the request for a container's output. */
export const logsRequest = ({ id, follow, tail, since }: LogsArgs): DockerRequest =>
  get(`${container(id)}/logs`, { stdout: 1, stderr: 1, timestamps: 1, follow: flag(follow), tail, since });

/** Returns the request for a path of a container's file system. */
export const archiveRequest = ({ id, path }: { readonly id: string; readonly path: string }): DockerRequest =>
  get(`${container(id)}/archive`, { path });

/** Returns the request for the engine's events. */
export const eventsRequest = (filters: Readonly<Record<string, readonly string[]>>, since?: string): DockerRequest =>
  get('/events', { filters: JSON.stringify(filters), since });

/** Returns the path with its query string. */
export function requestPath({ path, query = {} }: DockerRequest): string {
  const entries = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return entries.length > 0 ? `${path}?${new URLSearchParams(entries).toString()}` : path;
}
