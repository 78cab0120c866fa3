/** A pull from beginning to end: what the registry says, the layers, the image among the others. */
import type { AuthConfig } from '@podscope/cri';
import type { Context, Milliseconds } from '@podscope/trace';
import type { SimulatedNode } from '../node.ts';
import { pullLayers } from './pull.ts';
import { type ImageReference, tagged } from './reference.ts';

/**
 * Pulls an image. @returns its id
 * @throws CriError in the words of a Docker engine
 */
export async function pullImage(node: SimulatedNode, ctx: Context, reference: ImageReference, auth?: AuthConfig): Promise<string> {
  const wait = (ms: Milliseconds): Promise<void> => node.wait(ctx, ms);
  const { definition, bytesPerSecond, breaksAt, address, ownPort } = await node.registries.manifest(reference, auth, wait);
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
  return node.images.add(reference, definition).id;
}
