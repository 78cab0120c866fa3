/** Filters of system calls, as far as the simulated programs make any: which calls fail with "Operation not permitted". */
import type { SecurityProfile } from '@podscope/cri';
import { z } from 'zod';

/** System calls that simulated programs make by name. */
export type Syscall = 'chmod' | 'mkdir' | 'mount' | 'umount2' | 'unlink' | 'kill';

/** What the calls are called on machines that have no old names for them. */
const aliases: Readonly<Record<Syscall, readonly string[]>> = {
  chmod: ['chmod', 'fchmodat', 'fchmodat2'],
  mkdir: ['mkdir', 'mkdirat'],
  mount: ['mount'],
  umount2: ['umount2'],
  unlink: ['unlink', 'unlinkat'],
  kill: ['kill'],
};

/** A container's filter. */
export interface SeccompFilter {
  /** As `/proc/PID/status` tells it: 0 for none, 2 for a filter. */
  readonly mode: 0 | 2;
  permits(syscall: Syscall): boolean;
}

export const unconfined: SeccompFilter = { mode: 0, permits: () => true };

/** Docker's own profile: what it forbids needs capabilities, which stand for it here. */
const runtimeDefault: SeccompFilter = { mode: 2, permits: () => true };

/** A profile in Docker's format; what is not looked at may be anything. */
const profileSchema = z.object({
  defaultAction: z.string(),
  syscalls: z.array(z.object({ names: z.array(z.string()), action: z.string() })).default([]),
});

const allowing = new Set(['SCMP_ACT_ALLOW', 'SCMP_ACT_LOG', 'SCMP_ACT_TRACE']);

/** @throws Error when the text is no profile */
function parseProfile(text: string): SeccompFilter {
  const { defaultAction, syscalls } = profileSchema.parse(JSON.parse(text));
  const actionOf = (name: string): string => syscalls.find(({ names }) => names.includes(name))?.action ?? defaultAction;
  // A list of what is forbidden forbids by any of the names; one of what is allowed need not know them all.
  const isAllowList = !allowing.has(defaultAction);
  const allows = (name: string): boolean => allowing.has(actionOf(name));
  return { mode: 2, permits: (syscall) => (isAllowList ? aliases[syscall].some(allows) : aliases[syscall].every(allows)) };
}

/**
 * The filter that a security context asks for; none where it says nothing, as CRI has it.
 * @param read content of a file of the node, undefined when there is none
 * @throws Error in the engine's words when a profile of the node can't be had
 */
export async function seccompFilter(profile: SecurityProfile | undefined, read: (path: string) => Promise<string | undefined>): Promise<SeccompFilter> {
  if (profile?.profileType === 'RuntimeDefault') return runtimeDefault;
  if (profile?.profileType !== 'Localhost') return unconfined;
  const path = (profile.localhostRef ?? '').replace(/^localhost\//, '');
  const text = await read(path);
  if (text === undefined) throw new Error(`cannot load seccomp profile "${path}": open ${path}: no such file or directory`);
  try {
    return parseProfile(text);
  } catch (error) {
    throw new Error(`opening seccomp profile (${path}) failed: ${error instanceof z.ZodError ? z.prettifyError(error) : String(error)}`, { cause: error });
  }
}
