import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { cgroupParentFor } from '../engine/cgroup-parent.ts';
import { parseTimestamp } from '../objects/timestamps.ts';
import { dockerEndpoint } from './endpoint.ts';
import {
  aggregateErrors,
  connectionError,
  isNotFound,
  isRemovalInProgress,
  responseError,
  wrapError,
} from './error.ts';
import {
  archiveCall,
  type DockerCall,
  describeCall,
  dockerCall,
  eventsCall,
  logsCall,
  requestPath,
} from './requests.ts';
import { compareApiVersions, DockerTransport } from './transport.ts';

function path(call: DockerCall): string {
  const request = describeCall(call);
  return `${request.method} ${requestPath(request)}`;
}

describe('requests', () => {
  it("use the paths and parameters of Docker's API documents", () => {
    expect(path(dockerCall('listContainers', { all: true, filters: { label: ['a=b'] } }))).toBe(
      'GET /containers/json?all=1&filters=%7B%22label%22%3A%5B%22a%3Db%22%5D%7D&limit=0',
    );
    expect(path(dockerCall('stopContainer', { id: 'abc', timeout: 0 }))).toBe('POST /containers/abc/stop?t=0');
    expect(path(dockerCall('removeContainer', { id: 'abc', force: false }))).toBe('DELETE /containers/abc?v=1');
    expect(path(dockerCall('inspectImage', { ref: 'r.io:5000/a/b@sha256:1' }))).toBe(
      'GET /images/r.io%3A5000/a/b%40sha256%3A1/json',
    );
    expect(path(dockerCall('inspectContainer', { id: '../../info' }))).toBe('GET /containers/..%2F..%2Finfo/json');
  });
});

describe('equal those that dockerode sends', () => {
  const id = 'a/b';
  const container = '/containers/a%2Fb';
  it.each<[DockerCall, string, unknown?]>([
    [dockerCall('version', {}), 'GET /version'],
    [dockerCall('info', {}), 'GET /info'],
    [dockerCall('diskUsage', {}), 'GET /system/df'],
    [dockerCall('listContainers', { all: false, filters: {} }), 'GET /containers/json?filters=%7B%7D&limit=0'],
    [dockerCall('inspectContainer', { id, size: true }), `GET ${container}/json?size=1`],
    [
      dockerCall('createContainer', { name: 'k8s_x', body: { Image: 'i', Labels: {}, HostConfig: {} } }),
      'POST /containers/create?name=k8s_x',
      { Image: 'i', Labels: {}, HostConfig: {} },
    ],
    [dockerCall('startContainer', { id }), `POST ${container}/start`],
    [dockerCall('stopContainer', { id, timeout: 30 }), `POST ${container}/stop?t=30`],
    [dockerCall('removeContainer', { id, force: true }), `DELETE ${container}?force=1&v=1`],
    [
      dockerCall('updateContainer', { id, body: { CpuShares: 2, RestartPolicy: { Name: '', MaximumRetryCount: 0 } } }),
      `POST ${container}/update`,
      { CpuShares: 2, RestartPolicy: { Name: '', MaximumRetryCount: 0 } },
    ],
    [dockerCall('containerStats', { id }), `GET ${container}/stats?stream=false&one-shot=true`],
    [
      dockerCall('createExec', {
        id,
        body: { Cmd: ['ls'], AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false },
      }),
      `POST ${container}/exec`,
      { Cmd: ['ls'], AttachStdin: false, AttachStdout: true, AttachStderr: true, Tty: false },
    ],
    [dockerCall('startExec', { id, maxBytes: 1 }), 'POST /exec/a%2Fb/start', { Detach: false, Tty: false }],
    [dockerCall('startExecAttached', { id, tty: true }), 'POST /exec/a%2Fb/start', { Detach: false, Tty: true }],
    [dockerCall('inspectExec', { id }), 'GET /exec/a%2Fb/json'],
    [dockerCall('resizeExec', { id, width: 80, height: 24 }), 'POST /exec/a%2Fb/resize?h=24&w=80'],
    [dockerCall('resizeContainer', { id, width: 80, height: 24 }), `POST ${container}/resize?h=24&w=80`],
    [
      dockerCall('attach', { id, tty: false, stdin: false, stdout: true, stderr: true }),
      `POST ${container}/attach?stream=1&stdout=1&stderr=1`,
    ],
    [dockerCall('listImages', { filters: {} }), 'GET /images/json'],
    [
      dockerCall('listImages', { filters: { reference: ['b'] } }),
      'GET /images/json?filters=%7B%22reference%22%3A%5B%22b%22%5D%7D',
    ],
    [
      dockerCall('pullImage', { fromImage: 'r.io/b', tag: '1', onMessage: () => undefined }),
      'POST /images/create?fromImage=r.io%2Fb&tag=1',
    ],
    [dockerCall('removeImage', { ref: 'r.io/b:1' }), 'DELETE /images/r.io/b%3A1'],
    [
      logsCall({ id, tty: false, follow: true, tail: 5, since: '1.000000001' }),
      `GET ${container}/logs?stdout=1&stderr=1&timestamps=1&tail=5&since=1.000000001&follow=1`,
    ],
    [archiveCall({ id, path: '/etc/passwd' }), `GET ${container}/archive?path=%2Fetc%2Fpasswd`],
    [
      eventsCall({ type: ['container'] }, '12.345'),
      'GET /events?filters=%7B%22type%22%3A%5B%22container%22%5D%7D&since=12.345',
    ],
  ])('%# are as Docker documents them', (call, expected, body?) => {
    expect(path(call)).toBe(expected);
    expect(describeCall(call).body).toEqual(body);
  });
});

describe('object ids in request paths', () => {
  it.each(['', '.', '..', 'nope/../x', '/'])('are rejected when they would change the path: %j', async (id) => {
    // No engine listens at this address, so a call fails with Unavailable.
    const transport = new DockerTransport(dockerEndpoint('tcp://127.0.0.1:1', {}));
    const request = transport.request(
      background(new VirtualClock(), new Tracer()),
      dockerCall('inspectContainer', { id }),
      {
        subject: { kind: 'container', id },
      },
    );
    await expect(request).rejects.toMatchObject({ code: 'NotFound', message: `Error: No such container: ${id}` });
    transport.close();
  });
});

describe('errors', () => {
  it("contain Docker's text and the matching gRPC code", () => {
    expect(responseError(404, 'No such container: x', { kind: 'container', id: 'x' })).toMatchObject({
      code: 'NotFound',
      message: 'Error: No such container: x',
    });
    expect(responseError(404, 'No such exec')).toMatchObject({
      code: 'NotFound',
      message: 'Error response from daemon: No such exec',
    });
    expect(
      responseError(409, 'Conflict. The container name "/x" is already in use by container "ab12".'),
    ).toMatchObject({ code: 'AlreadyExists' });
    expect(responseError(409, 'Container x is not running')).toMatchObject({ code: 'FailedPrecondition' });
    expect(responseError(500, 'x')).toMatchObject({ code: 'Unknown' });
    expect(responseError(500, "invalid volume specification: ':/x'")).toMatchObject({ code: 'InvalidArgument' });
    expect(isRemovalInProgress(responseError(409, 'removal of container abc is already in progress'))).toBe(true);
    expect(isNotFound(new Error('Error: No such container: abc'))).toBe(true);
  });

  it('are Unavailable when no engine answers', () => {
    const refused = Object.assign(new Error('connect ENOENT'), { code: 'ENOENT' });
    expect(connectionError('unix:///s.sock', refused)).toMatchObject({
      code: 'Unavailable',
      message: 'Cannot connect to the Docker daemon at unix:///s.sock. Is the docker daemon running?',
    });
    expect(connectionError('unix:///s.sock', Object.assign(new Error('x'), { code: 'EACCES' })).message).toContain(
      'member of the group docker',
    );
  });

  it('are combined as in Go', () => {
    expect(aggregateErrors([])).toBeUndefined();
    const [a, b] = [responseError(404, 'a'), new Error('b')];
    expect(aggregateErrors([a])).toBe(a);
    expect(aggregateErrors([a, b, b])).toMatchObject({
      code: 'NotFound',
      message: '[Error response from daemon: a, b]',
    });
    expect(wrapError('doing x', a)).toMatchObject({
      code: 'NotFound',
      message: 'doing x: Error response from daemon: a',
      cause: a,
    });
  });
});

describe("the engine's address", () => {
  it.each([
    [undefined, {}, { socketPath: '/var/run/docker.sock' }],
    [undefined, { DOCKER_HOST: 'tcp://h:1' }, { host: 'h', port: '1', protocol: 'http' }],
    ['unix:///a.sock', { DOCKER_HOST: 'tcp://h:1' }, { socketPath: '/a.sock', host: undefined }],
    ['tcp://h', {}, { port: 2375, protocol: 'http' }],
    ['tcp://h:2376', {}, { protocol: 'https' }],
    ['ssh://me@h', {}, { protocol: 'ssh', username: 'me', port: 22 }],
  ])('is %s for %j', (host, environment, connection) => {
    expect(dockerEndpoint(host, environment).connection).toMatchObject(connection);
  });

  it('rejects an invalid endpoint and names the accepted forms', () => {
    expect(() => dockerEndpoint('docker', {})).toThrow('expected unix:///path, tcp://host:port or ssh://user@host');
  });
});

describe("conversions of Docker's values", () => {
  it('compares API versions numerically', () => {
    expect(compareApiVersions('1.9', '1.41')).toBeLessThan(0);
    expect(compareApiVersions('1.41', '1.41')).toBe(0);
  });

  it('parses times to the nanosecond and the zero time as unset', () => {
    expect(parseTimestamp('2026-01-01T00:00:00.000000001Z')).toBe(1_767_225_600_000_000_001n);
    expect(parseTimestamp('2026-01-01T01:00:00.5+01:00')).toBe(1_767_225_600_500_000_000n);
    expect(parseTimestamp('0001-01-01T00:00:00Z')).toBe(0n);
    expect(() => parseTimestamp('')).toThrow('parsing time ""');
  });

  it.each([
    ['CGROUPFS', '/kubepods/burstable/podabc', '/kubepods/burstable/podabc'],
    ['CGROUPFS', '', ''],
    ['SYSTEMD', '/kubepods.slice/kubepods-podabc.slice', 'kubepods-podabc.slice'],
    ['SYSTEMD', '/kubepods/burstable/poda-b', 'kubepods-burstable-poda_b.slice'],
    ['SYSTEMD', '', ''],
  ] as const)('converts the cgroup parent %s to %s', (driver, requested, expected) => {
    expect(cgroupParentFor(driver, requested)).toBe(expected);
  });
});
