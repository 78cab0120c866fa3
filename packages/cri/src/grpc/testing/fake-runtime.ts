/** Serves a runtime whose answers the test chooses. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { background, type Clock, type Context, instant, Tracer } from '@podscope/trace';
import type { ImageService, RuntimeService } from '../../services.ts';
import { UnimplementedImageService, UnimplementedRuntimeService } from '../../unimplemented.ts';
import { type ServeCriOptions, serveCri } from '../server/server.ts';

const realClock: Clock = {
  now: () => instant(performance.timeOrigin + performance.now()),
  schedule(delay, callback) {
    const timer = setTimeout(callback, delay);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Returns a context with the machine's time. */
export const testContext = (): Context => background(realClock, new Tracer());

class FakeRuntimeService extends UnimplementedRuntimeService {}
class FakeImageService extends UnimplementedImageService {}

export const versionResponse = {
  version: '0.1.0',
  runtimeName: 'fake',
  runtimeVersion: '1.2.3',
  runtimeApiVersion: 'v1',
};

/** Returns services in which the test replaces some RPCs. */
export const fakeServices = (
  runtime: Partial<RuntimeService> = {},
  images: Partial<ImageService> = {},
): { runtime: RuntimeService; images: ImageService } => ({
  runtime: Object.assign(new FakeRuntimeService(), { version: () => Promise.resolve(versionResponse) }, runtime),
  images: Object.assign(new FakeImageService(), images),
});

export interface Served {
  readonly endpoint: string;
  readonly path: string;
  close(): Promise<void>;
}

/** Serves the services on a socket in a temporary directory. */
export async function serveFake(
  services: ReturnType<typeof fakeServices>,
  options: Partial<ServeCriOptions> = {},
): Promise<Served> {
  const folder = await mkdtemp(join(tmpdir(), 'cri-'));
  const path = join(folder, 'cri.sock');
  const server = await serveCri(services, { listen: `unix://${path}`, ctx: testContext(), ...options });
  return {
    endpoint: server.endpoint,
    path,
    async close() {
      await server.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
