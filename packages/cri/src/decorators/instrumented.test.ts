import { background, type Context, Tracer, VirtualClock } from '@podscope/trace';
import { expect, it } from 'vitest';
import { UnimplementedImageService, UnimplementedRuntimeService } from '../unimplemented.ts';
import { instrumentImageService, instrumentRuntimeService } from './instrumented.ts';

const ctx = background(new VirtualClock(), new Tracer());

it.each([
  [undefined, 'runtime.v1'],
  ['v1.36', 'runtime.v1'],
  ['v1.20', 'runtime.v1alpha2'],
] as const)('names the method of a call of the release %s in %s', async (release, service) => {
  const upstreams: (string | undefined)[] = [];
  class Runtime extends UnimplementedRuntimeService {
    override async removeContainer(inner: Context): Promise<Record<string, never>> {
      upstreams.push(inner.span?.point.upstream);
      return {};
    }
  }
  class Images extends UnimplementedImageService {
    override async removeImage(inner: Context): Promise<Record<string, never>> {
      upstreams.push(inner.span?.point.upstream);
      return {};
    }
  }
  await instrumentRuntimeService(new Runtime(), release).removeContainer(ctx, { containerId: 'c' });
  await instrumentImageService(new Images(), release).removeImage(ctx, { image: { image: 'busybox' } });
  expect(upstreams).toEqual([`/${service}.RuntimeService/RemoveContainer`, `/${service}.ImageService/RemoveImage`]);
});
