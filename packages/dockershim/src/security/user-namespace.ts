/** User namespaces: Docker has one for the whole engine, none for a pod. */
import { CriError, type NamespaceOption } from '@podscope/cri';

/** Refuses options that name a user namespace but the node's. On the wire POD is the zero value: options without a mode ask for it. @throws CriError InvalidArgument */
export function refuseUserNamespace(options: NamespaceOption | undefined): void {
  const asked = options?.usernsOptions;
  if (asked && (asked.mode ?? 'POD') !== 'NODE') throw new CriError('InvalidArgument', 'user namespaces for pods are not supported by Docker');
}
