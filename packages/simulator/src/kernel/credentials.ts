/** What the processes of a container may do, and as whom. */
import type { LinuxContainerSecurityContext } from '@podscope/cri';
import type { User } from '../users.ts';
import { boundingSet, type CapabilityName, hasCapability } from './capabilities.ts';
import { type SeccompFilter, type Syscall, seccompFilter, unconfined } from './seccomp.ts';

/** The same for all processes of a container. */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  /** Beside `gid`. */
  readonly supplementalGroups: readonly number[];
  /** Bounding set, by the kernel's numbers. */
  readonly capabilities: bigint;
  readonly noNewPrivs: boolean;
  readonly seccomp: SeccompFilter;
}

/** Root as an engine lets it run when nothing is said. */
export const defaultCredentials: Credentials = {
  uid: 0,
  gid: 0,
  supplementalGroups: [],
  capabilities: boundingSet({}, false),
  noNewPrivs: false,
  seccomp: unconfined,
};

/**
 * What a security context comes to.
 * @param read content of a file of the node, undefined when there is none
 * @throws Error in the engine's words when a capability is unknown or a seccomp profile can't be had
 */
export async function credentialsOf(
  user: User,
  security: LinuxContainerSecurityContext = {},
  read: (path: string) => Promise<string | undefined>,
): Promise<Credentials> {
  const { capabilities = {}, privileged = false, supplementalGroups = [], noNewPrivs = false, seccomp } = security;
  return {
    ...user,
    supplementalGroups,
    capabilities: boundingSet(capabilities, privileged),
    noNewPrivs: noNewPrivs && !privileged,
    seccomp: privileged ? unconfined : await seccompFilter(seccomp, read),
  };
}

/** Whether a system call goes through: the filter lets it pass, and root has the capability it needs. */
export function permits({ uid, capabilities, seccomp }: Credentials, syscall: Syscall, needed?: CapabilityName): boolean {
  return seccomp.permits(syscall) && (needed === undefined || (uid === 0 && hasCapability(capabilities, needed)));
}
