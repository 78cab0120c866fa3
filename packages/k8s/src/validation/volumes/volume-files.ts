/**
 * Validates the files of config map, secret, downward API and projected volumes. Upstream: pkg/apis/core/validation
 * (v1.36).
 */

import type { DownwardAPIVolumeFile, KeyToPath } from '../../types.ts';
import { validateFieldRef, validateResourceFieldRef } from '../container/env.ts';
import type { Report } from '../report.ts';
import { isFileMode, isLocalNonReservedPath } from '../syntax.ts';

export function validateMode(mode: number | undefined, path: string, report: Report): void {
  if (mode !== undefined) report.invalidEach(path, mode, isFileMode(mode));
}

/** Validates an item of a volume: key, path and mode. Upstream: validateKeyToPath (core/validation, v1.36). */
export function validateKeyToPath({ key, path, mode }: KeyToPath, at: string, report: Report): void {
  if (!key) report.required(`${at}.key`);
  if (path === '') report.required(`${at}.path`);
  report.invalidEach(`${at}.path`, path, isLocalNonReservedPath(path));
  validateMode(mode, `${at}.mode`, report);
}

const volumeFieldPaths = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** Validates a file of a downward API volume. Upstream: validateDownwardAPIVolumeFile (core/validation, v1.36). */
export function validateDownwardFile(file: DownwardAPIVolumeFile, at: string, report: Report): void {
  const { path, fieldRef, resourceFieldRef, mode } = file;
  if (path === '') report.required(`${at}.path`);
  report.invalidEach(`${at}.path`, path, isLocalNonReservedPath(path));
  if (fieldRef) {
    validateFieldRef(fieldRef, volumeFieldPaths, `${at}.fieldRef`, report);
    if (resourceFieldRef)
      report.invalid(at, 'resource', 'fieldRef and resourceFieldRef can not be specified simultaneously');
  } else if (resourceFieldRef) validateResourceFieldRef(resourceFieldRef, `${at}.resourceFieldRef`, true, report);
  else report.required(at, 'one of fieldRef and resourceFieldRef is required');
  validateMode(mode, `${at}.mode`, report);
}
