/** Restores CRI metadata from Docker names, or from a label if the name is ambiguous. */
import { type ContainerMetadata, CriError, type PodSandboxMetadata } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import { z } from 'zod';
import { labelKeys } from './labels.ts';
import { parseContainerName, parseSandboxName } from './names.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * Returns a label with the metadata if the Docker name would be ambiguous, because one of its parts contains an
 * underscore. Kubernetes forbids underscores in these names, CRI doesn't.
 * @param pod the sandbox's metadata
 */
export function metadataLabel(metadata: PodSandboxMetadata | ContainerMetadata, pod: PodSandboxMetadata): Labels {
  const isClear = [metadata.name, pod.name, pod.namespace, pod.uid].every((part) => !part.includes('_'));
  return isClear ? {} : { [labelKeys.metadata]: JSON.stringify(metadata) };
}

const containerMetadata = z.object({ name: z.string(), attempt: z.number() });
const sandboxMetadata = containerMetadata.extend({ namespace: z.string(), uid: z.string() });

/**
 * Returns the metadata of a sandbox, from its label or, without a label, from its name.
 * @throws CriError for a name that isn't a sandbox's
 */
export const sandboxMetadataOf = (name: string, labels: Labels): PodSandboxMetadata =>
  kept(sandboxMetadata, labels) ?? parseSandboxName(name);

/**
 * Returns the metadata of a container, from its label or, without a label, from its name.
 * @throws CriError for a name that isn't a container's
 */
export const containerMetadataOf = (name: string, labels: Labels): ContainerMetadata =>
  kept(containerMetadata, labels) ?? parseContainerName(name);

/**
 * Returns the metadata in the label; undefined without the label.
 * @throws CriError for an invalid label
 */
function kept<T>(schema: z.ZodType<T>, { [labelKeys.metadata]: text }: Labels): T | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CriError('Internal', `label ${labelKeys.metadata} cannot be read: ${goQuote(text)}`, { cause });
  }
}
