import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasRegistry, type PrivateRegistry, privateRegistry, registryPassword, registryUser } from '../testing/private-registry.ts';
import { busyboxImage, type RealShim, realShim } from '../testing/real-shim.ts';

const auth = { username: registryUser, password: registryPassword };

describe.skipIf(!hasRegistry)('pulling from a private registry', () => {
  let shim: RealShim;
  let registry: PrivateRegistry;
  let image: string;

  beforeAll(async () => {
    [shim, registry] = await Promise.all([realShim(), privateRegistry()]);
    image = `${registry.address}/team/app:v1`;
    // An image of its own, with a layer that has to be pulled.
    const container = await shim.docker.createContainer({ Image: busyboxImage, Cmd: ['true'], Labels: { 'io.podscope.instance': shim.instance } });
    await container.commit({ repo: `${registry.address}/team/app`, tag: 'v1', comment: shim.instance });
    await container.remove();
    const pushing = await shim.docker.getImage(image).push({ authconfig: { ...auth, serveraddress: registry.address } });
    await new Promise<void>((resolve, reject) => shim.docker.modem.followProgress(pushing, (error) => (error ? reject(error) : resolve())));
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
    ['auth', { auth: Buffer.from(`${registryUser}:${registryPassword}`).toString('base64') }],
  ])('works with %s, answers the id, and shows its layers', async (_, credentials) => {
    await remove();
    expect(await status()).toBeUndefined();
    const from = shim.log.lastSeq;
    const { imageRef } = await shim.runtime.images.pullImage(shim.ctx, { image: { image }, auth: credentials });
    const pulled = await status();
    expect(pulled).toMatchObject({ id: imageRef, repoTags: [image], repoDigests: [expect.stringMatching(/\/team\/app@sha256:/)] });
    const digest = pulled?.repoDigests[0] ?? '';
    expect((await shim.runtime.images.imageStatus(shim.ctx, { image: { image: digest } })).image?.id).toBe(imageRef);
    const progress = shim.log.after(from).filter((event) => event.type === 'pullProgress');
    expect(progress.at(-1)?.layers.length).toBeGreaterThan(0);
    expect(JSON.stringify(shim.log.after(from))).not.toContain(registryPassword);
  });

  it.each([
    ['without credentials', undefined],
    ['with wrong ones', { username: registryUser, password: 'wrong' }],
  ])('fails %s, in the words of Docker', async (_, credentials) => {
    await remove();
    const pulling = shim.runtime.images.pullImage(shim.ctx, { image: { image }, auth: credentials });
    await expect(pulling).rejects.toThrow(/^Error response from daemon: .*(no basic auth credentials|unauthorized)/);
    expect(await status()).toBeUndefined();
  });

  it('fails for a tag that is not there', async () => {
    const pulling = shim.runtime.images.pullImage(shim.ctx, { image: { image: `${registry.address}/team/app:none` }, auth });
    await expect(pulling).rejects.toMatchObject({ code: 'NotFound', message: expect.stringContaining('manifest unknown') });
  });
});
