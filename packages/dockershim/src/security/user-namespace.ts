/** Rejects user namespaces per pod: Docker has one for the whole engine. */
import { CriError, type NamespaceOption } from '@podscope/cri';

/**
 * Rejects options with a user namespace other than the node's. POD is the zero value, so options without a mode ask for
 * it.
 * @throws CriError InvalidArgument
 */
export function refuseUserNamespace(options: NamespaceOption | undefined): void {
  const asked = options?.usernsOptions;
  if (asked && (asked.mode ?? 'POD') !== 'NODE')
    throw new CriError('InvalidArgument', 'user namespaces for pods are not supported by Docker');
}
