/** Validates security contexts. Upstream: pkg/apis/core/validation (v1.36). */

import type { AppArmorProfile, PodSpec, SeccompProfile, SecurityContext } from '../../types.ts';
import type { Report } from '../report.ts';
import { isLocalDescendingPath, isSysctlName, isValidID } from '../syntax.ts';

const MAX_PROFILE_PATH_BYTES = 4095;
const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

/** Validates the security context of a container. Upstream: ValidateSecurityContext (core/validation, v1.36). */
export function validateSecurityContext(
  context: SecurityContext | undefined,
  spec: PodSpec,
  path: string,
  report: Report,
): void {
  if (!context) return;
  validateIDs(context, path, report);
  const { procMount, allowPrivilegeEscalation, privileged, capabilities } = context;
  if (procMount !== undefined) {
    if (procMount !== 'Default' && procMount !== 'Unmasked')
      report.notSupported(`${path}.procMount`, procMount, ['Default', 'Unmasked']);
    if (procMount === 'Unmasked' && spec.hostUsers !== false) {
      report.invalid(`${path}.procMount`, procMount, '`hostUsers` must be false to use `Unmasked`');
    }
  }
  validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`, report);
  if (allowPrivilegeEscalation === false) {
    if (privileged)
      report.invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
    if (capabilities?.add?.includes('CAP_SYS_ADMIN')) {
      report.invalid(
        path,
        context,
        'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      );
    }
  }
  validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`, report);
}

function validateIDs(
  context: Pick<SecurityContext, 'runAsUser' | 'runAsGroup'> & { readonly fsGroup?: number },
  path: string,
  report: Report,
): void {
  for (const field of ['fsGroup', 'runAsUser', 'runAsGroup'] as const) {
    const id = context[field];
    if (id !== undefined) report.invalidEach(`${path}.${field}`, id, isValidID(id));
  }
}

/** Validates the security context of a pod. Upstream: validatePodSpecSecurityContext (core/validation, v1.36). */
export function validatePodSecurityContext(spec: PodSpec, report: Report): void {
  const path = 'spec.securityContext';
  const context = spec.securityContext ?? {};
  validateIDs(context, path, report);
  for (const [index, id] of (context.supplementalGroups ?? []).entries()) {
    report.invalidEach(`${path}.supplementalGroups[${index}]`, id, isValidID(id));
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    report.invalid('spec.shareProcessNamespace', true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  validateSysctls(spec, report);
  const { fsGroupChangePolicy, supplementalGroupsPolicy } = context;
  if (fsGroupChangePolicy !== undefined && !['Always', 'OnRootMismatch'].includes(fsGroupChangePolicy)) {
    report.notSupported(`${path}.fsGroupChangePolicy`, fsGroupChangePolicy, ['Always', 'OnRootMismatch']);
  }
  if (supplementalGroupsPolicy !== undefined && !['Merge', 'Strict'].includes(supplementalGroupsPolicy)) {
    report.notSupported(`${path}.supplementalGroupsPolicy`, supplementalGroupsPolicy, ['Merge', 'Strict']);
  }
  validateSeccompProfile(context.seccompProfile, `${path}.seccompProfile`, report);
  validateAppArmorProfile(context.appArmorProfile, `${path}.appArmorProfile`, report);
}

const ipcSysctl = /^(?:kernel[./](?:shm|msg|sem)|fs[./]mqueue[./])/;

/** Validates sysctls. Upstream: validateSysctls and ValidateHostSysctl (core/validation, v1.36). */
function validateSysctls(spec: PodSpec, report: Report): void {
  const seen = new Set<string>();
  for (const [index, { name }] of (spec.securityContext?.sysctls ?? []).entries()) {
    const path = `spec.securityContext.sysctls[${index}].name`;
    const faults = isSysctlName(name);
    if (name === '') report.required(path);
    else if (faults.length > 0) report.invalidEach(path, name, faults);
    else if (seen.has(name)) report.duplicate(path, name);
    if (spec.hostNetwork && /^net[./]/.test(name))
      report.invalid(path, name, "may not be specified when 'hostNetwork' is true");
    else if (spec.hostIPC && ipcSysctl.test(name))
      report.invalid(path, name, "may not be specified when 'hostIPC' is true");
    seen.add(name);
  }
}

/** Validates a seccomp profile. Upstream: validateSeccompProfileField (core/validation, v1.36). */
function validateSeccompProfile(profile: SeccompProfile | undefined, path: string, report: Report): void {
  if (!profile) return;
  const { type, localhostProfile } = profile;
  if (!type) report.required(`${path}.type`, 'type is required when seccompProfile is set');
  else if (!profileTypes.includes(type)) report.notSupported(`${path}.type`, type, profileTypes);
  if (type === 'Localhost') {
    if (localhostProfile === undefined)
      report.required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost');
    else report.invalidEach(`${path}.localhostProfile`, localhostProfile, isLocalDescendingPath(localhostProfile));
  } else if (localhostProfile !== undefined) {
    report.invalid(`${path}.localhostProfile`, localhostProfile, 'can only be set when seccomp type is Localhost');
  }
}

/** Validates an AppArmor profile. Upstream: ValidateAppArmorProfileField (core/validation, v1.36). */
function validateAppArmorProfile(profile: AppArmorProfile | undefined, path: string, report: Report): void {
  if (!profile) return;
  const { type, localhostProfile } = profile;
  const field = `${path}.localhostProfile`;
  if (!type) report.required(`${path}.type`, 'type is required when appArmorProfile is set');
  else if (!profileTypes.includes(type)) report.notSupported(`${path}.type`, type, profileTypes);
  if (type === 'Localhost') {
    if (!localhostProfile) report.required(field, 'must be set when AppArmor type is Localhost');
    else if (localhostProfile.trim() !== localhostProfile)
      report.invalid(field, localhostProfile, 'must not be padded with whitespace');
    else if (localhostProfile.length > MAX_PROFILE_PATH_BYTES) report.tooLong(field, MAX_PROFILE_PATH_BYTES);
  } else if (localhostProfile !== undefined)
    report.invalid(field, localhostProfile, 'can only be set when AppArmor type is Localhost');
}
