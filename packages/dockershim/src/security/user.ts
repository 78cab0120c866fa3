/** Determines the user of a container. */
import { CriError, type Int64Value } from '@podscope/cri';

interface Identity {
  readonly runAsUser?: Int64Value;
  readonly runAsGroup?: Int64Value;
  readonly runAsUsername?: string;
}

/**
 * Returns Docker's `user[:group]`; empty for the image's user. Upstream: modifyContainerConfig (dockershim
 * security_context.go, v1.20).
 * @throws CriError InvalidArgument for a group without a user
 */
export function userOf({ runAsUser, runAsGroup, runAsUsername }: Identity): string {
  const user = runAsUsername || (runAsUser ? String(runAsUser.value) : '');
  if (!runAsGroup) return user;
  if (!user) throw new CriError('InvalidArgument', 'runAsGroup is specified without a runAsUser');
  return `${user}:${runAsGroup.value}`;
}
