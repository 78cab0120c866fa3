/** Computes the credentials of a container's processes from its security context. */
import type { LinuxContainerSecurityContext } from '@podscope/cri';
import type { User } from '../containers/users.ts';
import { boundingSet, type CapabilityName, hasCapability } from './capabilities.ts';
import { type SeccompFilter, type Syscall, seccompFilter, unconfined } from './seccomp.ts';

/** The credentials shared by all processes of a container. */
export interface Credentials {
  readonly uid: number;
  readonly gid: number;
  /** The groups besides `gid`. */
  readonly supplementalGroups: readonly number[];
  /** The bounding set as a bit mask. The position of a bit is the capability's number in the kernel. */
  readonly capabilities: bigint;
  readonly noNewPrivs: boolean;
  readonly seccomp: SeccompFilter;
}

/** The credentials of a container without a security context. */
export const defaultCredentials: Credentials = {
  uid: 0,
  gid: 0,
  supplementalGroups: [],
  capabilities: boundingSet({}, false),
  noNewPrivs: false,
  seccomp: unconfined,
};

/**
 * Returns the credentials for a security context.
 * @param read returns the content of a file of the node; undefined when it doesn't exist
 * @throws Error with the engine's text for an unknown capability or an invalid seccomp profile
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

/**
 * Returns whether a process may make a system call. The seccomp filter must permit it. If `needed` is given, the
 * process must also be root and have that capability.
 */
export function permits(
  { uid, capabilities, seccomp }: Credentials,
  syscall: Syscall,
  needed?: CapabilityName,
): boolean {
  return seccomp.permits(syscall) && (needed === undefined || (uid === 0 && hasCapability(capabilities, needed)));
}
