/** Pulls an image: fetches the manifest and the layers, then adds the image to the store. */
import { type ImageReference } from '@podscope/base';
import type { AuthConfig } from '@podscope/cri';
import type { Context, Milliseconds } from '@podscope/trace';
import type { SimulatedNode } from '../node.ts';
import { tagged } from './image-store.ts';
import { pullLayers } from './pull.ts';

/**
 * Pulls an image and returns its id, or in v1.20 its digest. Upstream: getImageRef (dockershim
 * docker_image.go, v1.20).
 * @throws CriError with the text of a Docker engine
 */
export async function pullImage(
  ctx: Context,
  node: SimulatedNode,
  reference: ImageReference,
  auth?: AuthConfig,
): Promise<string> {
  const wait = (ms: Milliseconds): Promise<void> => node.wait(ctx, ms);
  const { definition, bytesPerSecond, breaksAt, address, ownPort } = await node.registries.manifest(
    reference,
    auth,
    wait,
  );
  await pullLayers(ctx, {
    image: tagged(reference),
    name: reference.familiarName,
    definition,
    bytesPerSecond,
    hasLayer: (layer) => node.images.hasLayer(layer),
    wait,
    breaksAt,
    connection: () => `${node.network.host.ip}:${ownPort()}->${address}`,
  });
  const { id, repoDigests } = node.images.add(reference, definition);
  return node.release === 'v1.20' ? ([...repoDigests][0] ?? id) : id;
}
