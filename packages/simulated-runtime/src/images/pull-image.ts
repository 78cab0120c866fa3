/** Pulls an image: fetches the manifest and the layers, then adds the image to the store. */
import { type ImageReference, readImageReference } from '@podscope/base';
import type { AuthConfig } from '@podscope/cri';
import type { Context, Milliseconds } from '@podscope/trace';
import type { SimulatedNode } from '../node.ts';
import { tagged } from './image-store.ts';
import { pullLayers } from './pull.ts';

const hexPattern = /^(?:sha256:)?[0-9a-f]+$/;

/**
 * Returns an image's name as dockershim passes it to the engine: in v1.36 the short form, without the tag if there is
 * also a digest. Returns undefined for a name that v1.36 doesn't pass on, because it is invalid.
 */
export function engineReference(text: string, release: SimulatedNode['release']): string | undefined {
  if (release === 'v1.20' || hexPattern.test(text)) return text;
  const reference = readImageReference(text);
  return reference?.digest ? `${reference.familiarName}@${reference.digest}` : reference?.familiar;
}

/** Returns the query of a pull request: the name without its tag, and the tag or digest. */
export const pullQuery = ({ familiarName, tag = 'latest', digest }: ImageReference): Record<string, string> => ({
  fromImage: familiarName,
  tag: digest ?? tag,
});

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
