/** What a sandbox or container is in CRI's words: read back from its Docker name, or from a label where that would be ambiguous. */
import type { ContainerMetadata, PodSandboxMetadata } from '@podscope/cri';
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

/** A sandbox's metadata, from its label or else its name. @throws CriError when the name is not one of ours. */
export function sandboxMetadataOf(name: string, labels: Labels): PodSandboxMetadata {
  const kept = labels[labelKeys.metadata];
  // Our own text, on a container that only we make.
  return kept === undefined ? parseSandboxName(name) : (JSON.parse(kept) as PodSandboxMetadata);
}

/** A container's. @throws CriError when the name is not one of ours. */
export function containerMetadataOf(name: string, labels: Labels): ContainerMetadata {
  const kept = labels[labelKeys.metadata];
  return kept === undefined ? parseContainerName(name) : (JSON.parse(kept) as ContainerMetadata);
}
