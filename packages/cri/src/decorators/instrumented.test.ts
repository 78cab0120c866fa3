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
  const runtime = new UnimplementedRuntimeService();
  runtime.removeContainer = async (inner: Context) => {
    upstreams.push(inner.span?.point.upstream);
    return {};
  };
  const images = new UnimplementedImageService();
  images.removeImage = async (inner: Context) => {
    upstreams.push(inner.span?.point.upstream);
    return {};
  };
  await instrumentRuntimeService(runtime, release).removeContainer(ctx, { containerId: 'c' });
  await instrumentImageService(images, release).removeImage(ctx, { image: { image: 'busybox' } });
  expect(upstreams).toEqual([`/${service}.RuntimeService/RemoveContainer`, `/${service}.ImageService/RemoveImage`]);
});
