/** Builds Docker's security options: SELinux labels, AppArmor and seccomp profiles. */
import { readFile } from 'node:fs/promises';
import { isAbsolute } from 'node:path';
import { CriError, type LinuxContainerSecurityContext, type SELinuxOption, type SecurityProfile } from '@podscope/cri';
import { goQuote } from '@podscope/k8s/go-quote';
import type { EngineFacts } from '../engine/facts.ts';
import { compactJson } from './compact-json.ts';

/** Returns the SELinux label options. Upstream: addSELinuxOptions (dockershim selinux_util.go, v1.20). */
export function selinuxOptions({ user, role, type, level }: SELinuxOption = {}): string[] {
  return Object.entries({ user, role, type, level }).flatMap(([key, value]) =>
    value ? [`label=${key}:${value}`] : [],
  );
}

type Profiles = Pick<
  LinuxContainerSecurityContext,
  'privileged' | 'seccomp' | 'seccompProfilePath' | 'apparmor' | 'apparmorProfile'
>;

/** Converts the older text form of a profile to the message of CRI v1. */
function profileOfPath(
  path: string | undefined,
  defaults: readonly string[],
  missing: SecurityProfile,
): SecurityProfile | undefined {
  if (!path) return missing;
  if (path === 'unconfined') return { profileType: 'Unconfined' };
  if (defaults.includes(path)) return { profileType: 'RuntimeDefault' };
  return path.startsWith('localhost/')
    ? { profileType: 'Localhost', localhostRef: path.slice('localhost/'.length) }
    : undefined;
}

/**
 * Returns the AppArmor option. The profile message of CRI v1 takes precedence over the older text. Upstream:
 * getAppArmorOpts (dockershim helpers_linux.go, v1.20).
 */
export function apparmorOptions({ apparmor, apparmorProfile }: Profiles): string[] {
  const profile = apparmor ?? profileOfPath(apparmorProfile, ['runtime/default'], { profileType: 'RuntimeDefault' });
  if (!profile) return [`apparmor=${apparmorProfile ?? ''}`];
  if (profile.profileType === 'RuntimeDefault') return [];
  return [`apparmor=${profile.profileType === 'Unconfined' ? 'unconfined' : profileName(profile)}`];
}

/**
 * Returns the name of a profile without the prefix of the older text form. Callers use the prefix in the newer form,
 * too.
 */
const profileName = ({ localhostRef = '' }: SecurityProfile): string => localhostRef.replace(/^localhost\//, '');

const loadedProfiles = '/sys/kernel/security/apparmor/profiles';

/**
 * Returns true for a valid profile name. `unconfined` isn't valid: the kernel treats it as no profile, even after white
 * space or a namespace.
 */
const isProfileName = (name: string): boolean => /^[\w/.@+{}*,-]+$/.test(name) && name !== 'unconfined';

/**
 * Rejects an AppArmor profile that can't be enforced, because the engine would ignore it without an error.
 * @param read returns the kernel's list of profiles; if it can't be read, the engine checks the profile at the start
 * @throws CriError InvalidArgument if AppArmor is missing or the profile is unknown
 */
export async function requireAppArmor(
  { apparmor, apparmorProfile }: Profiles,
  { hasAppArmor, isLocal }: Pick<EngineFacts, 'hasAppArmor' | 'isLocal'>,
  read: () => Promise<string> = () => readFile(loadedProfiles, 'utf8'),
): Promise<void> {
  const profile = apparmor ?? profileOfPath(apparmorProfile, ['runtime/default'], { profileType: 'RuntimeDefault' });
  if (profile && profile.profileType !== 'Localhost') return;
  if (!hasAppArmor)
    throw new CriError(
      'InvalidArgument',
      'apparmor is not supported: this engine, or the kernel it runs on, does not have it',
    );
  const name = profile ? profileName(profile) : (apparmorProfile ?? '');
  if (!isProfileName(name))
    throw new CriError('InvalidArgument', `apparmor profile ${goQuote(name)} is not the name of a profile`);
  const loaded = isLocal ? await read().catch(() => undefined) : undefined;
  if (loaded === undefined || loaded.split('\n').some((line) => line.replace(/ \([a-z]+\)$/, '') === name)) return;
  throw new CriError(
    'InvalidArgument',
    `apparmor profile ${goQuote(name)} is not loaded: load it with apparmor_parser`,
  );
}

const seccompFailure = (text: string, cause?: unknown): CriError =>
  new CriError('InvalidArgument', `failed to generate seccomp security options for container: ${text}`, { cause });

/**
 * Returns the seccomp option. The profile message of CRI v1 takes precedence over the older text. Upstream:
 * getSeccompSecurityOpts (dockershim helpers_linux.go, v1.20).
 * @throws CriError InvalidArgument for a profile that can't be read
 */
export async function seccompOptions(
  { privileged, seccomp, seccompProfilePath }: Profiles,
  read: (path: string) => Promise<string> = (path) => readFile(path, 'utf8'),
): Promise<string[]> {
  const profile =
    seccomp ?? profileOfPath(seccompProfilePath, ['runtime/default', 'docker/default'], { profileType: 'Unconfined' });
  if (!profile) throw seccompFailure(`unknown seccomp profile option: ${seccompProfilePath ?? ''}`);
  if (profile.profileType === 'RuntimeDefault') return [];
  // According to CRI, a privileged container has no seccomp restrictions.
  if (profile.profileType === 'Unconfined' || privileged) return ['seccomp=unconfined'];
  const file = profile.localhostRef ?? '';
  if (!isAbsolute(file))
    throw seccompFailure(`seccomp profile path must be absolute, but got relative path ${goQuote(file)}`);
  const text = await read(file).catch((cause: NodeJS.ErrnoException) => {
    const reason = cause.code === 'ENOENT' ? `open ${file}: no such file or directory` : cause.message;
    throw seccompFailure(`cannot load seccomp profile ${goQuote(file)}: ${reason}`, cause);
  });
  try {
    JSON.parse(text);
  } catch (cause) {
    throw seccompFailure(`seccomp profile ${goQuote(file)}: ${(cause as Error).message}`, cause);
  }
  return [`seccomp=${compactJson(text)}`];
}
