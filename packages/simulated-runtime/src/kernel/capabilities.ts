/** Computes the Linux capabilities of a container. */
import type { Capability } from '@podscope/cri';

/** The names of the capabilities, in the order of their numbers in the kernel (linux/capability.h, 6.x). */
const names = [
  'CHOWN',
  'DAC_OVERRIDE',
  'DAC_READ_SEARCH',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'LINUX_IMMUTABLE',
  'NET_BIND_SERVICE',
  'NET_BROADCAST',
  'NET_ADMIN',
  'NET_RAW',
  'IPC_LOCK',
  'IPC_OWNER',
  'SYS_MODULE',
  'SYS_RAWIO',
  'SYS_CHROOT',
  'SYS_PTRACE',
  'SYS_PACCT',
  'SYS_ADMIN',
  'SYS_BOOT',
  'SYS_NICE',
  'SYS_RESOURCE',
  'SYS_TIME',
  'SYS_TTY_CONFIG',
  'MKNOD',
  'LEASE',
  'AUDIT_WRITE',
  'AUDIT_CONTROL',
  'SETFCAP',
  'MAC_OVERRIDE',
  'MAC_ADMIN',
  'SYSLOG',
  'WAKE_ALARM',
  'BLOCK_SUSPEND',
  'AUDIT_READ',
  'PERFMON',
  'BPF',
  'CHECKPOINT_RESTORE',
] as const;

/** The name of a capability without `CAP_`. */
export type CapabilityName = (typeof names)[number];

/** Docker's default capabilities. */
const byDefault: readonly CapabilityName[] = [
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'KILL',
  'SETGID',
  'SETUID',
  'SETPCAP',
  'NET_BIND_SERVICE',
  'NET_RAW',
  'SYS_CHROOT',
  'MKNOD',
  'AUDIT_WRITE',
  'SETFCAP',
];

const bit = (name: CapabilityName): bigint => 1n << BigInt(names.indexOf(name));
const union = (some: readonly CapabilityName[]): bigint => some.reduce((mask, name) => mask | bit(name), 0n);
const everything = union(names);

/** Thrown for the name of an unknown capability. */
class UnknownCapabilityError extends Error {
  override readonly name = 'UnknownCapabilityError';
}

/**
 * Returns the capabilities as a bit mask.
 * @throws UnknownCapabilityError for an unknown name
 */
function maskOf(listed: readonly string[]): bigint {
  let mask = 0n;
  for (const text of listed) {
    const wanted = text.toUpperCase().replace(/^CAP_/, '');
    if (wanted === 'ALL') return everything;
    const name = names.find((known) => known === wanted);
    if (!name) throw new UnknownCapabilityError(`invalid CapAdd: unknown capability: "CAP_${wanted}"`);
    mask |= bit(name);
  }
  return mask;
}

const listsAll = (listed: readonly string[]): boolean => listed.some((name) => name.toUpperCase() === 'ALL');

/**
 * Returns the bounding set of a container. A privileged container has all capabilities; any other has the defaults with
 * the requested additions and drops. Upstream: Docker's oci/caps TweakCapabilities (20.10).
 * @throws UnknownCapabilityError for an unknown name
 */
export function boundingSet(
  { addCapabilities = [], dropCapabilities = [] }: Capability,
  isPrivileged: boolean,
): bigint {
  if (isPrivileged) return everything;
  const [added, dropped] = [maskOf(addCapabilities), maskOf(dropCapabilities)];
  // A capability that is added by name is kept even with `drop: ALL`.
  if (listsAll(addCapabilities)) return everything & ~dropped;
  if (listsAll(dropCapabilities)) return added;
  return (union(byDefault) | added) & ~dropped;
}

export const hasCapability = (mask: bigint, name: CapabilityName): boolean => (mask & bit(name)) !== 0n;

/** Formats a set as `/proc/PID/status` does, with 16 hexadecimal digits. */
export const formatCapabilities = (mask: bigint): string => mask.toString(16).padStart(16, '0');
