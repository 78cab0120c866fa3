/** Restores CRI metadata from Docker names, or from a label where the name is ambiguous. */
import { type ContainerMetadata, CriError, type PodSandboxMetadata } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import { z } from 'zod';
import { labelKeys } from './labels.ts';
import { parseContainerName, parseSandboxName } from './names.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Returns a label with the metadata if the Docker name is ambiguous, because a part contains an underscore. Kubernetes
 * forbids it, CRI doesn't.
 * @param pod the sandbox's metadata
 */
export function metadataLabel(metadata: PodSandboxMetadata | ContainerMetadata, pod: PodSandboxMetadata): Labels {
  const isClear = [metadata.name, pod.name, pod.namespace, pod.uid].every((part) => !part.includes('_'));
  return isClear ? {} : { [labelKeys.metadata]: JSON.stringify(metadata) };
}

const containerMetadata = z.object({ name: z.string(), attempt: z.number() });
const sandboxMetadata = containerMetadata.extend({ namespace: z.string(), uid: z.string() });

/** Returns a sandbox's metadata from its label or else its name. @throws CriError for a foreign name */
export const sandboxMetadataOf = (name: string, labels: Labels): PodSandboxMetadata =>
  kept(sandboxMetadata, labels) ?? parseSandboxName(name);

/** Returns a container's metadata from its label or else its name. @throws CriError for a foreign name */
export const containerMetadataOf = (name: string, labels: Labels): ContainerMetadata =>
  kept(containerMetadata, labels) ?? parseContainerName(name);

/** Returns the label's metadata; undefined without the label. @throws CriError for an invalid label */
function kept<T>(schema: z.ZodType<T>, { [labelKeys.metadata]: text }: Labels): T | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CriError('Internal', `label ${labelKeys.metadata} cannot be read: ${goQuote(text)}`, { cause });
  }
}
