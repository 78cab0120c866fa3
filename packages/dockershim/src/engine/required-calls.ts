/** Lists the HTTP requests of the Docker Engine API that dockershim makes, so that a proxy can reject all others. */
import type { DockerArgs, DockerOperation } from '../docker/port.ts';
import { archiveCall, type DockerCall, describeCall, dockerCall, eventsCall, logsCall } from '../docker/requests.ts';

const id = '{id}';
const ref = '{reference}';
const size = { width: 1, height: 1 };

/** Example arguments of each operation, with placeholders. The type requires an entry for every operation. */
const examples: { readonly [O in DockerOperation]: DockerArgs<O> } = {
  version: {},
  info: {},
  diskUsage: {},
  listContainers: { all: true, filters: {} },
  inspectContainer: { id },
  createContainer: { name: 'name', body: { Image: ref, Labels: {}, HostConfig: {} } },
  startContainer: { id },
  stopContainer: { id, timeout: 1 },
  removeContainer: { id, force: false },
  updateContainer: { id, body: { RestartPolicy: { Name: '', MaximumRetryCount: 0 } } },
  containerStats: { id },
  createExec: { id, body: { Cmd: [], AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false } },
  startExec: { id, maxBytes: 1 },
  inspectExec: { id },
  resizeExec: { id, ...size },
  resizeContainer: { id, ...size },
  startExecAttached: { id, tty: false },
  attach: { id, tty: false, stdin: true, stdout: true, stderr: true },
  listImages: { filters: {} },
  inspectImage: { ref },
  pullImage: { fromImage: ref, tag: 'tag', onMessage: () => undefined },
  removeImage: { ref },
};

const operations = Object.keys(examples) as readonly DockerOperation[];

const calls: readonly DockerCall[] = [
  (engine) => engine.ping(),
  ...operations.map((operation) => dockerCall(operation, examples[operation])),
  logsCall({ id, tty: false }),
  archiveCall({ id, path: '/' }),
  eventsCall({}),
];

/** A request: its method, and its path without the API version. `{id}` and `{reference}` are placeholders. */
export interface RequiredCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
}

/** All requests that dockershim makes, sorted by path. */
export const requiredCalls: readonly RequiredCall[] = [
  ...new Map(
    calls.map(describeCall).map(({ method, path }) => {
      const plain = decodeURIComponent(path);
      return [`${plain} ${method}`, { method, path: plain }];
    }),
  ),
]
  .toSorted(([a], [b]) => (a < b ? -1 : 1))
  .map(([, call]) => call);

const patternOf = ({ method, path }: RequiredCall): RegExp => {
  const pattern = path
    .replaceAll('.', String.raw`\.`)
    .replace('{id}', '[A-Za-z0-9][A-Za-z0-9_.-]*')
    // A reference may contain slashes. Segments `.` and `..` are excluded, because they would lead to another path.
    .replace('{reference}', '(?!.*(?:^|/)\\.{1,2}(?:/|$))[A-Za-z0-9][A-Za-z0-9_.:@/-]*');
  return new RegExp(`^${method} (?:/v1\\.\\d+)?${pattern}$`);
};

const patterns = requiredCalls.map(patternOf);

/**
 * Returns true if dockershim makes this request.
 * @param path the decoded path without the query; the API version is optional
 */
export const isRequiredCall = (method: string | undefined, path: string): boolean =>
  patterns.some((pattern) => pattern.test(`${method === 'HEAD' && path.endsWith('/_ping') ? 'GET' : method} ${path}`));
