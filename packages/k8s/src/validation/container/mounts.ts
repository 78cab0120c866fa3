/** Validates a container's volume mounts and devices. Upstream: pkg/apis/core/validation (v1.36). */

import type { Container, Volume, VolumeMount } from '../../types.ts';
import type { Report } from '../report.ts';
import { hasBacksteps, isLocalDescendingPath } from '../syntax.ts';

/** Validates volume mounts. Upstream: ValidateVolumeMounts (core/validation, v1.36). */
export function validateVolumeMounts(
  container: Container,
  volumes: ReadonlyMap<string, Volume>,
  path: string,
  report: Report,
): void {
  const taken = new Set<string>();
  const devices = container.volumeDevices ?? [];
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    const at = `${path}[${index}]`;
    const { name, mountPath, subPath, subPathExpr } = mount;
    if (name === '') report.required(`${at}.name`);
    if (!volumes.has(name)) report.notFound(`${at}.name`, name);
    if (mountPath === '') report.required(`${at}.mountPath`);
    if (taken.has(mountPath)) report.invalid(`${at}.mountPath`, mountPath, 'must be unique');
    taken.add(mountPath);
    if (devices.some((device) => device.name === name))
      report.invalid(`${at}.name`, name, 'must not already exist in volumeDevices');
    if (devices.some((device) => device.devicePath === mountPath)) {
      report.invalid(`${at}.mountPath`, mountPath, 'must not already exist as a path in volumeDevices');
    }
    if (subPath) report.invalidEach(`${at}.subPath`, subPath, isLocalDescendingPath(subPath));
    if (subPathExpr) {
      if (subPath) report.invalid(`${at}.subPathExpr`, subPathExpr, 'subPathExpr and subPath are mutually exclusive');
      report.invalidEach(`${at}.subPathExpr`, subPathExpr, isLocalDescendingPath(subPathExpr));
    }
    validatePropagation(mount, container.securityContext?.privileged ?? false, `${at}.mountPropagation`, report);
    validateRecursiveReadOnly(mount, `${at}.recursiveReadOnly`, report);
  }
}

function validatePropagation(
  { mountPropagation }: VolumeMount,
  privileged: boolean,
  path: string,
  report: Report,
): void {
  if (mountPropagation === undefined) return;
  const supported = ['Bidirectional', 'HostToContainer', 'None'];
  if (!supported.includes(mountPropagation)) report.notSupported(path, mountPropagation, supported);
  if (mountPropagation === 'Bidirectional' && !privileged) {
    report.forbidden(path, 'Bidirectional mount propagation is available only to privileged containers');
  }
}

function validateRecursiveReadOnly(
  { recursiveReadOnly, readOnly, mountPropagation }: VolumeMount,
  path: string,
  report: Report,
): void {
  if (recursiveReadOnly === undefined || recursiveReadOnly === 'Disabled') return;
  const supported = ['Disabled', 'Enabled', 'IfPossible'];
  if (!supported.includes(recursiveReadOnly)) return report.notSupported(path, recursiveReadOnly, supported);
  if (!readOnly) report.forbidden(path, 'may only be specified when readOnly is true');
  if (mountPropagation !== undefined && mountPropagation !== 'None') {
    report.forbidden(path, 'may only be specified when mountPropagation is None or not specified');
  }
  return undefined;
}

/** Validates block devices. Upstream: ValidateVolumeDevices (core/validation, v1.36). */
export function validateVolumeDevices(
  container: Container,
  volumes: ReadonlyMap<string, Volume>,
  path: string,
  report: Report,
): void {
  const names = new Set<string>();
  const paths = new Set<string>();
  for (const [index, { name, devicePath }] of (container.volumeDevices ?? []).entries()) {
    const at = `${path}[${index}]`;
    const volume = volumes.get(name);
    if (name === '') report.required(`${at}.name`);
    if (names.has(name)) report.invalid(`${at}.name`, name, 'must be unique');
    if (!volume) report.notFound(`${at}.name`, name);
    else if (!volume.persistentVolumeClaim && volume['ephemeral'] === undefined) {
      report.invalid(
        `${at}.name`,
        name,
        'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode',
      );
    }
    if (devicePath === '') report.required(`${at}.devicePath`);
    if (paths.has(devicePath)) report.invalid(`${at}.devicePath`, devicePath, 'must be unique');
    if (hasBacksteps(devicePath).length > 0)
      report.invalid(`${at}.devicePath`, devicePath, "can not contain backsteps ('..')");
    paths.add(devicePath);
    names.add(name);
  }
}
