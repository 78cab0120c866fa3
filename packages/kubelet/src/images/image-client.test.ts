import { CriError, type ImageService, UnimplementedImageService } from '@podscope/cri';
import { background, Tracer, VirtualClock } from '@podscope/trace';
import { expect, it } from 'vitest';
import { imageClientV136 } from './image-client.ts';
import { imageClientV120 } from './v1-20/image-client.ts';

const ctx = background(new VirtualClock(), new Tracer(), 'test');
const failing = (error: Error): ImageService =>
  new (class extends UnimplementedImageService {
    override pullImage(): Promise<never> {
      return Promise.reject(error);
    }
  })();
const request = { image: { image: 'missing:1.0' } };

it('PullImage fails with code Unknown: v1.36 throws the text without the code, v1.20 the gRPC error', async () => {
  const error = new CriError('Unknown', 'connection refused');
  const thrown = await imageClientV136(failing(error))
    .pullImage(ctx, request)
    .catch((reason: unknown) => reason);
  expect(thrown).not.toBeInstanceOf(CriError);
  expect(thrown).toMatchObject({ message: 'connection refused', cause: error });
  await expect(imageClientV120(failing(error)).pullImage(ctx, request)).rejects.toBe(error);
});

it('PullImage fails with another code: both releases throw the gRPC error', async () => {
  const error = new CriError('Unavailable', 'connection refused');
  for (const client of [imageClientV120, imageClientV136])
    await expect(client(failing(error)).pullImage(ctx, request)).rejects.toBe(error);
});
