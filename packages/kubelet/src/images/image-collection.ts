/** Creates the image garbage collector from the kubelet's dependencies. */
import { type ContainerRuntime, type ImageService, instrumentImageService } from '@podscope/cri';
import type { Runtime } from '@podscope/kuberuntime';
import type { Context } from '@podscope/trace';
import type { KubeletDependencies } from '../dependencies.ts';
import { imageGarbageCollectionLoop } from '../loop/image-garbage-collection.ts';
import { ImageGCManager, type ImageGCPolicy, imageGCV120, imageGCV136 } from './image-gc-manager.ts';
import { PulledImages } from './pulled-images.ts';

export interface ImageCollection {
  /** The runtime. Pulls through it are recorded. */
  readonly containerRuntime: ContainerRuntime;
  /** Collects images until the context is aborted. */
  readonly run: (ctx: Context, runtime: Runtime) => Promise<void>;
}

/** Records pulled images and deletes unused ones according to the policy. */
export function collectImages(
  { containerRuntime, os, node, recorder, profile }: KubeletDependencies,
  policy: ImageGCPolicy,
): ImageCollection {
  const pulled = new PulledImages(os, `${node.rootDir}/pulled_images`);
  const images: ImageService = instrumentImageService(containerRuntime.images, profile);
  return {
    containerRuntime: withImages(containerRuntime, pulled.watch(containerRuntime.images)),
    run: async (ctx, runtime) => {
      await pulled.load();
      const manager = new ImageGCManager({
        policy,
        release: profile === 'v1.20' ? imageGCV120 : imageGCV136,
        images,
        runtime,
        containers: containerRuntime.runtime,
        os,
        recorder,
        owns: (names) => pulled.owns(names),
        removed: (names) => pulled.forget(names),
      });
      await imageGarbageCollectionLoop(ctx, manager, recorder);
    },
  };
}

const withImages = (runtime: ContainerRuntime, images: ImageService): ContainerRuntime => ({
  name: runtime.name,
  runtime: runtime.runtime,
  images,
  logs: runtime.logs,
  ...(runtime.streams && { streams: runtime.streams }),
  ...(runtime.points && { points: runtime.points }),
  ...(runtime.failures && { failures: runtime.failures }),
  deviations: () => runtime.deviations(),
  close: () => runtime.close(),
});
