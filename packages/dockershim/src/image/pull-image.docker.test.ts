import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busyboxImage, type RealShim, realShim } from '../testing/real-shim.ts';
import { type RegistryProcess, startRegistryProcess } from '../testing/registry.ts';

const auth = { username: 'podscope', password: 'sesame-open' };
const passwords = 'podscope:$2b$05$nWR9ecddmW.hYX.MkBsb/OuT/L8Fb3ERHHNIGYw9DaxV/7uZG4PAm\n';

describe('pulling from a private registry', () => {
  let shim: RealShim;
  let registry: RegistryProcess;
  let image: string;

  beforeAll(async () => {
    [shim, registry] = await Promise.all([realShim(), startRegistryProcess(passwords)]);
    image = `${registry.address}/team/app:v1`;
    // Creates an image with a layer that has to be pulled.
    const container = await shim.docker.createContainer({
      Image: busyboxImage,
      Cmd: ['true'],
      Labels: { 'io.podscope.instance': shim.instance },
    });
    await container.commit({ repo: `${registry.address}/team/app`, tag: 'v1', comment: shim.instance });
    await container.remove();
    const pushing = await shim.docker
      .getImage(image)
      .push({ authconfig: { ...auth, serveraddress: registry.address } });
    await new Promise<void>((resolve, reject) =>
      shim.docker.modem.followProgress(pushing, (error) => (error ? reject(error) : resolve())),
    );
  });
  afterAll(async () => {
    await shim?.docker
      .getImage(image)
      .remove()
      .catch(() => undefined);
    await shim?.cleanup();
    await registry?.stop();
  });

  const remove = () => shim.runtime.images.removeImage(shim.ctx, { image: { image } });
  const status = async () => (await shim.runtime.images.imageStatus(shim.ctx, { image: { image } })).image;

  it.each([
    ['user and password', auth],
    ['auth', { auth: Buffer.from(`${auth.username}:${auth.password}`).toString('base64') }],
  ])('succeeds with %s, returns the id and emits its layers', async (_, credentials) => {
    await remove();
    expect(await status()).toBeUndefined();
    const from = shim.log.lastSeq;
    const { imageRef } = await shim.runtime.images.pullImage(shim.ctx, { image: { image }, auth: credentials });
    const pulled = await status();
    expect(pulled).toMatchObject({
      id: imageRef,
      repoTags: [image],
      repoDigests: [expect.stringMatching(/\/team\/app@sha256:/)],
    });
    const digest = pulled?.repoDigests[0] ?? '';
    expect((await shim.runtime.images.imageStatus(shim.ctx, { image: { image: digest } })).image?.id).toBe(imageRef);
    const progress = shim.log.after(from).filter((event) => event.type === 'pullProgress');
    expect(progress.at(-1)?.layers.length).toBeGreaterThan(0);
    expect(JSON.stringify(shim.log.after(from))).not.toContain(auth.password);
  });

  it.each([
    ['without credentials', undefined],
    ['with wrong ones', { username: auth.username, password: 'wrong' }],
  ])('fails %s with the error text of Docker', async (_, credentials) => {
    await remove();
    const pulling = shim.runtime.images.pullImage(shim.ctx, { image: { image }, auth: credentials });
    await expect(pulling).rejects.toThrow(/^Error response from daemon: .*(no basic auth credentials|unauthorized)/i);
    expect(await status()).toBeUndefined();
  });

  it('fails for a missing tag', async () => {
    const pulling = shim.runtime.images.pullImage(shim.ctx, {
      image: { image: `${registry.address}/team/app:none` },
      auth,
    });
    await expect(pulling).rejects.toMatchObject({
      code: 'NotFound',
      message: expect.stringMatching(/manifest unknown|not found/),
    });
  });
});

/** Starts a registry that serves the manifest of an image and never finishes its layer. */
async function stallingRegistry() {
  const layer = randomBytes(4096);
  const digest = (data: Buffer): string => `sha256:${createHash('sha256').update(data).digest('hex')}`;
  const config = Buffer.from(
    JSON.stringify({ architecture: 'amd64', os: 'linux', rootfs: { type: 'layers', diff_ids: [digest(layer)] } }),
  );
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: 'application/vnd.docker.distribution.manifest.v2+json',
    config: {
      mediaType: 'application/vnd.docker.container.image.v1+json',
      size: config.length,
      digest: digest(config),
    },
    layers: [
      { mediaType: 'application/vnd.docker.image.rootfs.diff.tar.gzip', size: layer.length, digest: digest(layer) },
    ],
  });
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    if (path === '/v2/') response.end('{}');
    else if (path.includes('/manifests/')) {
      response.setHeader('content-type', 'application/vnd.docker.distribution.manifest.v2+json');
      response.end(request.method === 'HEAD' ? undefined : manifest);
    } else if (path.endsWith(digest(config))) response.end(config);
    else {
      response.setHeader('content-length', layer.length);
      response.write(layer.subarray(0, 1000));
    }
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const stop = (): void => {
    server.close();
    server.closeAllConnections();
  };
  return { address: `127.0.0.1:${port}`, stop };
}

it('cancels a pull without progress and reports its last state', async () => {
  const [shim, registry] = await Promise.all([realShim({ imagePullProgressDeadline: 10_000 }), stallingRegistry()]);
  try {
    const image = `${registry.address}/stalled:v1`;
    const pulling = shim.runtime.images.pullImage(shim.ctx, { image: { image } });
    const message = `pull of "${image}" was cancelled: no progress for 10 s: context canceled`;
    await expect(pulling).rejects.toMatchObject({ code: 'DeadlineExceeded', message });
    const layers = shim.log.after(0).flatMap((event) => (event.type === 'pullProgress' ? event.layers : []));
    expect(layers.at(-1)).toMatchObject({ status: expect.stringMatching(/Pulling fs layer|Downloading/) });
  } finally {
    registry.stop();
    await shim.cleanup();
  }
});
