/** Validates a pod's volumes. Upstream: pkg/apis/core/validation (v1.36). */

import { compareQuantities, parseQuantity, zeroQuantity } from '../../resources/quantity.ts';
import { foreignVolumeKinds } from '../../schema/volume.ts';
import type { KeyToPath, Volume } from '../../types.ts';
import type { Report } from '../report.ts';
import { hasBacksteps, isDNS1123Label } from '../syntax.ts';
import { validateProjected } from './projected-volume.ts';
import { validateDownwardFile, validateKeyToPath, validateMode } from './volume-files.ts';

/**
 * The volume sources in the order in which upstream checks them. The first one is used; any further one is an error.
 */
const volumeSources: readonly string[] = [
  'emptyDir',
  'hostPath',
  'secret',
  'nfs',
  'persistentVolumeClaim',
  'downwardAPI',
  'configMap',
  'projected',
  'csi',
  'ephemeral',
  'image',
  ...foreignVolumeKinds,
];

const hostPathTypes = [
  '',
  'BlockDevice',
  'CharDevice',
  'Directory',
  'DirectoryOrCreate',
  'File',
  'FileOrCreate',
  'Socket',
];

/**
 * Validates the volumes. Returns the valid ones by name, because containers can mount only these. Upstream:
 * ValidateVolumes (core/validation, v1.36).
 */
export function validateVolumes(volumes: readonly Volume[] | undefined, report: Report): ReadonlyMap<string, Volume> {
  const sound = new Map<string, Volume>();
  for (const [index, volume] of (volumes ?? []).entries()) {
    const path = `spec.volumes[${index}]`;
    const before = report.errors.length;
    validateSource(volume, path, report);
    if (!volume.name) report.required(`${path}.name`);
    else report.invalidEach(`${path}.name`, volume.name, isDNS1123Label(volume.name));
    if (sound.has(volume.name)) report.duplicate(`${path}.name`, volume.name);
    if (report.errors.length === before) sound.set(volume.name, volume);
  }
  return sound;
}

function validateSource(volume: Volume, path: string, report: Report): void {
  const [first, ...others] = volumeSources.filter((source) => volume[source] !== undefined);
  if (first === undefined) return report.required(path, 'must specify a volume type');
  for (const source of others) report.forbidden(`${path}.${source}`, 'may not specify more than 1 volume type');
  const at = `${path}.${first}`;
  const { emptyDir, hostPath, secret, configMap, downwardAPI, projected, persistentVolumeClaim, image } = volume;
  if (emptyDir?.sizeLimit !== undefined && compareQuantities(parseQuantity(emptyDir.sizeLimit), zeroQuantity) < 0) {
    report.forbidden(`${path}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity');
  }
  switch (first) {
    case 'hostPath':
      return hostPath && validateHostPath(hostPath, at, report);
    case 'secret':
      if (!secret?.secretName) report.required(`${at}.secretName`);
      return validateFiles(secret?.items, secret?.defaultMode, at, report);
    case 'configMap':
      if (!configMap?.name) report.required(`${at}.name`);
      return validateFiles(configMap?.items, configMap?.defaultMode, at, report);
    case 'downwardAPI':
      validateMode(downwardAPI?.defaultMode, `${at}.defaultMode`, report);
      for (const [index, file] of (downwardAPI?.items ?? []).entries())
        validateDownwardFile(file, `${at}.items[${index}]`, report);
      return undefined;
    case 'projected':
      return projected && validateProjected(projected, at, report);
    case 'persistentVolumeClaim':
      return persistentVolumeClaim?.claimName ? undefined : report.required(`${at}.claimName`);
    case 'image':
      if (!image?.reference) report.required(`${at}.reference`);
      return report.oneOf(`${at}.pullPolicy`, image?.pullPolicy, ['Always', 'IfNotPresent', 'Never']);
    case 'nfs':
      return validateNFS(volume.nfs, at, report);
    default:
      return undefined;
  }
}

function validateHostPath({ path, type }: NonNullable<Volume['hostPath']>, at: string, report: Report): void {
  if (!path) return report.required(`${at}.path`);
  report.invalidEach(`${at}.path`, path, hasBacksteps(path));
  if (type !== undefined && !hostPathTypes.includes(type)) report.notSupported(`${at}.type`, type, hostPathTypes);
  return undefined;
}

function validateNFS(source: unknown, at: string, report: Report): void {
  const { server = '', path = '' } = source as { readonly server?: string; readonly path?: string };
  if (server === '') report.required(`${at}.server`);
  if (path === '') report.required(`${at}.path`);
  if (!path.startsWith('/')) report.invalid(`${at}.path`, path, 'must be an absolute path');
}

function validateFiles(
  items: readonly KeyToPath[] | undefined,
  defaultMode: number | undefined,
  at: string,
  report: Report,
): void {
  validateMode(defaultMode, `${at}.defaultMode`, report);
  for (const [index, item] of (items ?? []).entries()) validateKeyToPath(item, `${at}.items[${index}]`, report);
}
