/** Rejects user namespaces of pods, because Docker has only one for the whole engine. */
import { CriError, type NamespaceOption } from '@podscope/cri';

/**
 * Rejects options with a user namespace other than the node's. POD is the zero value, so options without a mode request
 * it and are rejected, too.
 * @throws CriError InvalidArgument
 */
export function refuseUserNamespace(options: NamespaceOption | undefined): void {
  const asked = options?.usernsOptions;
  if (asked && (asked.mode ?? 'POD') !== 'NODE')
    throw new CriError('InvalidArgument', 'user namespaces for pods are not supported by Docker');
}
