/** Evaluates seccomp profiles for the system calls of simulated programs. */
import type { SecurityProfile } from '@podscope/cri';
import { z } from 'zod';

/** The system calls that simulated programs make. */
export type Syscall = 'chmod' | 'mkdir' | 'mount' | 'umount2' | 'unlink' | 'kill' | 'sethostname';

/** The names of each system call, including those on architectures that lack the old names. */
const aliases: Readonly<Record<Syscall, readonly string[]>> = {
  chmod: ['chmod', 'fchmodat', 'fchmodat2'],
  mkdir: ['mkdir', 'mkdirat'],
  mount: ['mount'],
  umount2: ['umount2'],
  unlink: ['unlink', 'unlinkat'],
  kill: ['kill'],
  sethostname: ['sethostname'],
};

/** A container's filter. */
export interface SeccompFilter {
  /** The value in `/proc/PID/status`: 0 without a filter, 2 with one. */
  readonly mode: 0 | 2;
  permits(syscall: Syscall): boolean;
}

export const unconfined: SeccompFilter = { mode: 0, permits: () => true };

/**
 * Docker's default profile. In the simulation, it permits all calls. The calls that the genuine profile forbids also
 * need capabilities, which are checked separately.
 */
const runtimeDefault: SeccompFilter = { mode: 2, permits: () => true };

/** The part of a profile in Docker's format that the simulation evaluates. */
const profileSchema = z.object({
  defaultAction: z.string(),
  syscalls: z.array(z.object({ names: z.array(z.string()), action: z.string() })).default([]),
});

const allowing = new Set(['SCMP_ACT_ALLOW', 'SCMP_ACT_LOG', 'SCMP_ACT_TRACE']);

/**
 * Parses a profile.
 * @throws Error when the text isn't a profile
 */
function parseProfile(text: string): SeccompFilter {
  const { defaultAction, syscalls } = profileSchema.parse(JSON.parse(text));
  const actionOf = (name: string): string =>
    syscalls.find(({ names }) => names.includes(name))?.action ?? defaultAction;
  // A deny list forbids a call if it contains any of the call's names. An allow list permits it if it contains one of
  // them.
  const isAllowList = !allowing.has(defaultAction);
  const allows = (name: string): boolean => allowing.has(actionOf(name));
  return {
    mode: 2,
    permits: (syscall) => (isAllowList ? aliases[syscall].some(allows) : aliases[syscall].every(allows)),
  };
}

/**
 * Returns the filter of a security context. Without a profile, no call is filtered, as CRI specifies.
 * @param read returns the content of a file of the node; undefined when it doesn't exist
 * @throws Error with the engine's text when a localhost profile can't be loaded
 */
export async function seccompFilter(
  profile: SecurityProfile | undefined,
  read: (path: string) => Promise<string | undefined>,
): Promise<SeccompFilter> {
  if (profile?.profileType === 'RuntimeDefault') return runtimeDefault;
  if (profile?.profileType !== 'Localhost') return unconfined;
  const path = (profile.localhostRef ?? '').replace(/^localhost\//, '');
  const text = await read(path);
  if (text === undefined)
    throw new Error(`cannot load seccomp profile "${path}": open ${path}: no such file or directory`);
  try {
    return parseProfile(text);
  } catch (error) {
    throw new Error(
      `opening seccomp profile (${path}) failed: ` +
        (error instanceof z.ZodError ? z.prettifyError(error) : String(error)),
      { cause: error },
    );
  }
}
