import { chmod, link, lstat, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { connect as connectHttp2 } from 'node:http2';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js';
import { DeadlineExceededError, grpcErrorCodes, withSignal, withTimeout } from '@podscope/trace';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CriError } from '../error.ts';
import type { ContainerEventResponse } from '../messages.ts';
import type { RuntimeService } from '../services.ts';
import { connectCri, type RemoteRuntime } from './client/connect.ts';
import { serveCri } from './server/server.ts';
import { fakeServices, type Served, serveFake, testContext, versionResponse } from './testing/fake-runtime.ts';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

async function served(...args: Parameters<typeof serveFake>): Promise<Served> {
  const server = await serveFake(...args);
  cleanups.push(() => server.close());
  return server;
}

async function connected(endpoint: string, options?: Parameters<typeof connectCri>[2]): Promise<RemoteRuntime> {
  const remote = await connectCri(testContext(), endpoint, options);
  cleanups.push(() => remote.close());
  return remote;
}

/** Returns a promise that rejects when the signal is aborted. */
const untilAborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }));

const event = (containerId: string): ContainerEventResponse => ({
  containerId,
  containerEventType: 'CONTAINER_STARTED_EVENT',
  createdAt: 1n,
  containersStatuses: [],
});

/** Makes a call with any path and bytes. */
function rawCall(path: string, method: string, bytes: Buffer): Promise<ServiceError> {
  const client = new Client(`unix:${path}`, credentials.createInsecure());
  return new Promise<ServiceError>((resolve, reject) => {
    const same = (value: Buffer): Buffer => value;
    client.makeUnaryRequest(method, same, same, bytes, new Metadata(), { deadline: Date.now() + 120_000 }, (error) => {
      if (error) resolve(error);
      else reject(new Error('the call was answered'));
    });
  }).finally(() => client.close());
}

describe('calls over gRPC', () => {
  it('carry requests and answers', async () => {
    const containerStatus = vi.fn<RuntimeService['containerStatus']>(() =>
      Promise.resolve({ status: { id: 'c', createdAt: 5n } as never, info: { pid: '7' } }),
    );
    const { endpoint } = await served(fakeServices({ containerStatus }));
    const remote = await connected(endpoint);
    expect(remote).toMatchObject({ name: 'fake', apiVersion: 'v1', version: versionResponse });
    const response = await remote.runtime.containerStatus(testContext(), { containerId: 'c', verbose: true });
    expect(containerStatus).toHaveBeenCalledWith(expect.anything(), { containerId: 'c', verbose: true });
    expect(response).toMatchObject({ status: { id: 'c', createdAt: 5n, labels: {} }, info: { pid: '7' } });
  });

  it.each(grpcErrorCodes)('carry the code %s and its text', async (code) => {
    const failure = new CriError(code, `läuft nicht: 100%\nzweite Zeile`);
    const { endpoint } = await served(fakeServices({ startContainer: () => Promise.reject(failure) }));
    const call = (await connected(endpoint)).runtime.startContainer(testContext(), { containerId: 'c' });
    await expect(call).rejects.toMatchObject({
      name: 'CriError',
      code,
      message: expect.stringContaining('läuft nicht: 100%\nzweite Zeile'),
    });
  });

  it('end as Unknown for other errors and as Unimplemented for missing RPCs', async () => {
    const { endpoint } = await served(
      fakeServices({ status: () => Promise.reject(new TypeError('no such property')) }),
    );
    const { runtime, images } = await connected(endpoint);
    await expect(runtime.status(testContext(), {})).rejects.toMatchObject({
      code: 'Unknown',
      message: 'no such property',
    });
    await expect(images.imageFsInfo(testContext(), {})).rejects.toMatchObject({ code: 'Unimplemented' });
  });

  it('end on both sides when the caller cancels', async () => {
    const seen = Promise.withResolvers<unknown>();
    const { endpoint } = await served(
      fakeServices({
        stopContainer: (ctx) => {
          ctx.signal.addEventListener('abort', () => seen.resolve(ctx.signal.reason));
          return untilAborted(ctx.signal);
        },
      }),
    );
    const { runtime } = await connected(endpoint);
    const controller = new AbortController();
    const call = runtime.stopContainer(withSignal(testContext(), controller.signal), { containerId: 'c', timeout: 1 });
    const reason = new DOMException('enough', 'AbortError');
    await vi.waitFor(async () => expect((await runtime.version(testContext(), {})).runtimeName).toBe('fake'), {
      timeout: 120_000,
    });
    controller.abort(reason);
    await expect(call).rejects.toBe(reason);
    expect(await seen.promise).toMatchObject({ name: 'AbortError' });
  });

  it('are canceled when the client disappears', async () => {
    const [began, seen] = [Promise.withResolvers<void>(), Promise.withResolvers<unknown>()];
    const { path } = await served(
      fakeServices({
        status: (ctx) => {
          ctx.signal.addEventListener('abort', () => seen.resolve(ctx.signal.reason));
          began.resolve();
          return untilAborted(ctx.signal);
        },
      }),
    );
    const socket = connect(path);
    const session = connectHttp2('http://localhost', { createConnection: () => socket });
    session.on('error', () => undefined);
    const headers = {
      ':method': 'POST',
      ':path': '/runtime.v1.RuntimeService/Status',
      'content-type': 'application/grpc',
      te: 'trailers',
    };
    session
      .request(headers)
      .on('error', () => undefined)
      .end(Buffer.alloc(5));
    await began.promise;
    socket.destroy();
    expect(await seen.promise).toMatchObject({ name: 'AbortError' });
  });

  it("end as DeadlineExceeded at their deadline and cancel the runtime's work", async () => {
    const seen = Promise.withResolvers<unknown>();
    const { endpoint } = await served(
      fakeServices({
        listContainers: (ctx) => {
          ctx.signal.addEventListener('abort', () => seen.resolve(ctx.signal.reason));
          return untilAborted(ctx.signal);
        },
      }),
    );
    const { runtime } = await connected(endpoint, { requestTimeout: 100 });
    await expect(runtime.listContainers(testContext(), {})).rejects.toMatchObject({ code: 'DeadlineExceeded' });
    // Either the server's clock or the client's cancellation may end the call first.
    expect(await seen.promise).toSatisfy(
      (reason) => reason instanceof DeadlineExceededError || (reason instanceof Error && reason.name === 'AbortError'),
    );
  });

  it("keep the reason of the caller's own timeout", async () => {
    const { endpoint } = await served(fakeServices({ status: (ctx) => untilAborted(ctx.signal) }));
    const { runtime } = await connected(endpoint);
    await expect(withTimeout(testContext(), 50, (ctx) => runtime.status(ctx, {}))).rejects.toBeInstanceOf(
      DeadlineExceededError,
    );
  });

  it('reject incomplete requests and fail for invalid bytes', async () => {
    const { path } = await served(fakeServices());
    const method = '/runtime.v1.RuntimeService/RunPodSandbox';
    expect(await rawCall(path, method, Buffer.alloc(0))).toMatchObject({
      code: 3,
      details: 'RunPodSandboxRequest.config is required',
    });
    expect(await rawCall(path, method, Buffer.from([0x0a, 99]))).toMatchObject({
      code: 13,
      details: expect.stringContaining('deserializing'),
    });
    expect(await rawCall(path, '/runtime.v1.RuntimeService/NoSuchCall', Buffer.alloc(0))).toMatchObject({ code: 12 });
    expect(await rawCall(path, '/runtime.v1.RuntimeService/Version', Buffer.alloc(17 << 20))).toMatchObject({
      code: 8,
    });
  });

  it('reach the same runtime as v1alpha2', async () => {
    const { path } = await served(
      fakeServices({ startContainer: () => Promise.reject(new CriError('NotFound', 'no container')) }),
    );
    expect(await rawCall(path, '/runtime.v1alpha2.RuntimeService/StartContainer', Buffer.alloc(0))).toMatchObject({
      code: 5,
      details: 'no container',
    });
    expect(await rawCall(path, '/runtime.v1alpha2.RuntimeService/RuntimeConfig', Buffer.alloc(0))).toMatchObject({
      code: 12,
    });
  });
});

describe('an old runtime', () => {
  it('is called with v1alpha2 and has no newer RPCs', async () => {
    const { endpoint } = await served(fakeServices(), { versions: ['v1alpha2'] });
    const remote = await connected(endpoint);
    expect(remote.apiVersion).toBe('v1alpha2');
    await expect(remote.runtime.runtimeConfig(testContext(), {})).rejects.toMatchObject({ code: 'Unimplemented' });
    const events = remote.runtime.getContainerEvents(testContext(), {})[Symbol.asyncIterator]();
    await expect(events.next()).rejects.toMatchObject({ code: 'Unimplemented' });
    expect(await remote.runtime.version(testContext(), {})).toEqual(versionResponse);
  });
});

describe('streams over gRPC', () => {
  it('deliver messages until the reader stops', async () => {
    let open = 0;
    async function* getContainerEvents(ctx: { signal: AbortSignal }): AsyncGenerator<ContainerEventResponse> {
      open += 1;
      try {
        yield event('a');
        yield event('b');
        await untilAborted(ctx.signal);
      } finally {
        open -= 1;
      }
    }
    const { endpoint } = await served(fakeServices({ getContainerEvents }));
    const { runtime } = await connected(endpoint);
    const ids: string[] = [];
    for await (const { containerId } of runtime.getContainerEvents(testContext(), {}))
      if (ids.push(containerId) === 2) break;
    expect(ids).toEqual(['a', 'b']);
    await vi.waitFor(() => expect(open).toBe(0), { timeout: 120_000 });
  });

  it('end with the error of the runtime', async () => {
    async function* getContainerEvents(): AsyncGenerator<ContainerEventResponse> {
      yield event('a');
      throw new CriError('ResourceExhausted', 'too many readers');
    }
    const { endpoint } = await served(fakeServices({ getContainerEvents }));
    const stream = (await connected(endpoint)).runtime.getContainerEvents(testContext(), {});
    const read = async (): Promise<void> => {
      for await (const { containerId } of stream) expect(containerId).toBe('a');
    };
    await expect(read()).rejects.toMatchObject({ code: 'ResourceExhausted', message: 'too many readers' });
  });

  it('end when the server stops', async () => {
    async function* getContainerEvents(ctx: { signal: AbortSignal }): AsyncGenerator<ContainerEventResponse> {
      yield event('a');
      await untilAborted(ctx.signal);
    }
    const server = await serveFake(fakeServices({ getContainerEvents }));
    const { runtime } = await connected(server.endpoint);
    const stream = runtime.getContainerEvents(testContext(), {})[Symbol.asyncIterator]();
    expect((await stream.next()).value).toMatchObject({ containerId: 'a' });
    const ended = stream.next().then(
      () => undefined,
      (error: unknown) => error,
    );
    await server.close();
    expect(await ended).toMatchObject({ code: 'Unavailable' });
  });
});

describe('the connection', () => {
  it('has different errors for a missing socket, a missing server and another file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cri-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    const at = (name: string): Promise<RemoteRuntime> =>
      connectCri(testContext(), `unix://${join(folder, name)}`, { connectTimeout: 5000 });
    await expect(at('none.sock')).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringMatching(/no such socket\. Is the runtime running/),
    });
    await writeFile(join(folder, 'file'), '');
    await expect(at('file')).rejects.toThrow('the file at this path is not a socket');
    await expect(connectCri(testContext(), 'tcp://127.0.0.1:1')).rejects.toThrow('is not a CRI endpoint');
    await expect(connectCri(testContext(), `unix:///${'x'.repeat(200)}`)).rejects.toThrow(
      "a Unix socket's may have 107",
    );
  });

  it('is restored when the runtime comes back', async () => {
    const first = await serveFake(fakeServices());
    const { runtime } = await connected(first.endpoint);
    await first.close();
    await expect(runtime.version(testContext(), {})).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining(first.path),
    });
    const folder = dirname(first.path);
    await mkdir(folder);
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const second = await serveCri(fakeServices(), { listen: first.endpoint, ctx: testContext() });
    cleanups.push(() => second.close());
    await vi.waitFor(async () => expect(await runtime.version(testContext(), {})).toEqual(versionResponse), {
      timeout: 120_000,
    });
  });
});

describe('the socket', () => {
  it('has mode 0600 by default and leaves no temporary files', async () => {
    const { path } = await served(fakeServices());
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(dirname(path))).toEqual(['cri.sock']);
    const shared = await served(fakeServices(), { mode: 0o660 });
    expect((await stat(shared.path)).mode & 0o777).toBe(0o660);
  });

  it("of a dead server is replaced, of a living one isn't", async () => {
    const { path, endpoint } = await served(fakeServices());
    await expect(serveCri(fakeServices(), { listen: endpoint, ctx: testContext() })).rejects.toThrow(
      `another server listens on ${path}`,
    );
    const stale = join(dirname(path), 'stale.sock');
    // Creates a socket file without a server, like the file that remains after SIGKILL.
    const other = createServer().listen(`${stale}.bound`);
    await new Promise((resolve) => other.once('listening', resolve));
    await link(`${stale}.bound`, stale);
    await new Promise((resolve) => other.close(resolve));
    expect((await lstat(stale)).isSocket()).toBe(true);
    const server = await serveCri(fakeServices(), { listen: `unix://${stale}`, ctx: testContext() });
    expect((await connected(`unix://${stale}`)).name).toBe('fake');
    await server.close();
    await expect(lstat(stale)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('never replaces another file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'cri-'));
    cleanups.push(() => rm(folder, { recursive: true }));
    const file = join(folder, 'precious');
    await writeFile(file, 'data');
    await chmod(file, 0o600);
    await expect(serveCri(fakeServices(), { listen: `unix://${file}`, ctx: testContext() })).rejects.toThrow(
      'is not a socket',
    );
    expect(await readdir(folder)).toEqual(['precious']);
  });
});
