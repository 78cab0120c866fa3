/** Tests to which runtime calls are forwarded, in both API versions and from clients of every kind. */
import { rm } from 'node:fs/promises';
import { connect } from 'node:http2';
import { connect as openSocket } from 'node:net';
import type { ImageService } from '@podscope/cri';
import { connectCri, type RemoteRuntime } from '@podscope/cri/grpc';
import { fakeServices, type Served, serveFake, testContext, versionResponse } from '@podscope/cri/testing/fake-runtime';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type RelayBefore, relayBefore } from '../testing/relay-before.ts';
import { callThrough, grpcFrame } from '../testing/served-relay.ts';
import { TestDebugger } from '../testing/test-debugger.ts';

let cleanups: (() => unknown)[];
beforeEach(() => {
  cleanups = [];
});
afterEach(async () => {
  for (const cleanup of cleanups.toReversed()) await cleanup();
});
const kept = <T extends { close(): unknown }>(resource: T): T => {
  cleanups.push(() => resource.close());
  return resource;
};

describe('calls with a runtime and an image runtime', () => {
  const image = { image: 'busybox:1.36', annotations: {}, userSpecifiedImage: '', runtimeHandler: '' };
  const pullImage = vi.fn<ImageService['pullImage']>();
  const ofRuntime = vi.fn<ImageService['pullImage']>();
  let images: Served;
  let relay: RelayBefore;
  let client: RemoteRuntime;
  let waiting: PromiseWithResolvers<void>;

  const serveImages = (options = {}): Promise<Served> =>
    serveFake(
      fakeServices({ version: () => Promise.resolve({ ...versionResponse, runtimeName: 'images' }) }, { pullImage }),
      options,
    );
  const pull = (): Promise<unknown> => client.images.pullImage(testContext(), { image });

  beforeEach(async () => {
    pullImage.mockReset().mockResolvedValue({ imageRef: 'sha256:1' });
    ofRuntime.mockReset();
    waiting = Promise.withResolvers();
    const runtime = kept(
      await serveFake(
        fakeServices(
          { status: () => waiting.promise.then(() => ({ status: { conditions: [] }, info: {}, runtimeHandlers: [] })) },
          { pullImage: ofRuntime },
        ),
      ),
    );
    images = kept(await serveImages());
    relay = kept(await relayBefore({ runtime: runtime.path, imageRuntime: images.path }));
    client = kept(await connectCri(testContext(), relay.endpoint));
  });

  it('go to the runtime of their service, which the debugger receives with each call', async () => {
    const debug = kept(await TestDebugger.connected(relay.control));
    expect(await client.runtime.version(testContext(), {})).toMatchObject({ runtimeName: 'fake' });
    expect(await pull()).toEqual({ imageRef: 'sha256:1' });
    expect(pullImage).toHaveBeenCalledTimes(1);
    expect(ofRuntime).not.toHaveBeenCalled();
    await debug.next((message) => message.type === 'callOpened' && message.path.endsWith('/PullImage'));
    const opened = debug.ofType('callOpened').filter(({ origin }) => origin === 'client');
    expect(opened.map(({ path, endpoint }) => [path.split('/').at(-1), endpoint])).toEqual([
      ['Version', 'runtime'],
      ['PullImage', 'image'],
    ]);
  });

  it('for the image runtime alone fail with Unavailable when it is gone, and succeed when it is back', async () => {
    await pull();
    const status = client.runtime.status(testContext(), { verbose: false });
    const { path } = images;
    await images.close();
    await expect(pull()).rejects.toMatchObject({
      code: 'Unavailable',
      message: expect.stringContaining(`image runtime's connection ended: connect ENOENT ${path}`),
    });
    await rm(path, { force: true });
    kept(await serveImages({ listen: `unix://${path}` }));
    expect(await pull()).toEqual({ imageRef: 'sha256:1' });
    // Finish the call over the same connection, which has been open since the start of the call.
    waiting.resolve();
    expect(await status).toMatchObject({ status: { conditions: [] } });
    expect(relay.relay.connections).toBe(1);
  });
});

describe('lists of the relay itself', () => {
  it('come from runtime.v1alpha2 if the runtime has no v1', async () => {
    const listPodSandbox = vi.fn<() => Promise<{ items: [] }>>(() => Promise.resolve({ items: [] }));
    const listContainers = vi.fn<() => Promise<{ containers: [] }>>(() => Promise.resolve({ containers: [] }));
    const runtime = kept(await serveFake(fakeServices({ listPodSandbox, listContainers }), { versions: ['v1alpha2'] }));
    const relay = kept(await relayBefore({ runtime: runtime.path }));
    const debug = kept(await TestDebugger.connected(relay.control));
    const path = '/runtime.v1alpha2.RuntimeService/ListContainers';
    const opened = await debug.next((message) => message.type === 'callOpened' && message.path === path);
    const call = 'call' in opened ? opened.call : 0;
    await debug.next((message) => message.type === 'ended' && message.call === call);
    expect(debug.ofType('trailers').map(({ status }) => status)).toEqual([12, 0, 12, 0]);
    expect(listPodSandbox).toHaveBeenCalledTimes(1);
    expect(listContainers).toHaveBeenCalledTimes(1);
  });
});

describe('a client that sends the path of a socket as :authority', () => {
  it('is served, and the path reaches the runtime and the debugger unchanged', async () => {
    const runtime = kept(await serveFake(fakeServices()));
    const relay = kept(await relayBefore({ runtime: runtime.path }));
    const debug = kept(await TestDebugger.connected(relay.control));
    const session = connect('http://localhost', { createConnection: () => openSocket(relay.path) });
    cleanups.push(() => session.destroy());
    const own = { ':authority': relay.path };
    for (const version of ['v1', 'v1alpha2', 'v1']) {
      const path = `/runtime.${version}.RuntimeService/Version`;
      const { body, trailers } = await callThrough(session, path, [grpcFrame(Buffer.alloc(0))], own);
      expect(trailers['grpc-status']).toBe('0');
      expect(body.toString('latin1')).toContain(versionResponse.runtimeVersion);
    }
    const authorities = (): readonly unknown[] =>
      debug
        .ofType('callOpened')
        .filter(({ origin }) => origin === 'client')
        .map(({ authority }) => authority);
    await expect.poll(authorities).toEqual([relay.path, relay.path, relay.path]);
  });
});
