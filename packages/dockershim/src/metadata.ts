/** What a sandbox or container is in CRI's words: read back from its Docker name, or from a label where that would be ambiguous. */
import { type ContainerMetadata, CriError, type PodSandboxMetadata } from '@podscope/cri';
import { goQuote } from '@podscope/k8s';
import { z } from 'zod';
import { labelKeys } from './labels.ts';
import { parseContainerName, parseSandboxName } from './names.ts';

type Labels = Readonly<Record<string, string>>;

/**
 * The label that keeps the metadata of a sandbox or container, where its Docker name does not: an underscore in a part makes that ambiguous.
 * Kubernetes allows none, CRI does. @param pod the sandbox's metadata
 */
export function metadataLabel(metadata: PodSandboxMetadata | ContainerMetadata, pod: PodSandboxMetadata): Labels {
  const isClear = [metadata.name, pod.name, pod.namespace, pod.uid].every((part) => !part.includes('_'));
  return isClear ? {} : { [labelKeys.metadata]: JSON.stringify(metadata) };
}

const containerMetadata = z.object({ name: z.string(), attempt: z.number() });
const sandboxMetadata = containerMetadata.extend({ namespace: z.string(), uid: z.string() });

/** A sandbox's metadata, from its label or else its name. @throws CriError when the name is not one of ours. */
export const sandboxMetadataOf = (name: string, labels: Labels): PodSandboxMetadata => kept(sandboxMetadata, labels) ?? parseSandboxName(name);

/** A container's. @throws CriError when the name is not one of ours. */
export const containerMetadataOf = (name: string, labels: Labels): ContainerMetadata => kept(containerMetadata, labels) ?? parseContainerName(name);

/** Undefined without the label. @throws CriError for a text that is none of ours */
function kept<T>(schema: z.ZodType<T>, { [labelKeys.metadata]: text }: Labels): T | undefined {
  if (text === undefined) return undefined;
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CriError('Internal', `label ${labelKeys.metadata} cannot be read: ${goQuote(text)}`, { cause });
  }
}
