/** Validates projected volumes. Upstream: pkg/apis/core/validation (v1.36). */

import type { Volume, VolumeProjection } from '../../types.ts';
import type { Report } from '../report.ts';
import { isLocalNonReservedPath } from '../syntax.ts';
import { validateDownwardFile, validateKeyToPath, validateMode } from './volume-files.ts';

const MIN_TOKEN_SECONDS = 600;
const MAX_TOKEN_SECONDS = 2 ** 32;

/** Validates a projected volume. Upstream: validateProjectedVolumeSource (core/validation, v1.36). */
export function validateProjected(projected: NonNullable<Volume['projected']>, at: string, report: Report): void {
  validateMode(projected.defaultMode, `${at}.defaultMode`, report);
  const seen = new Set<string>();
  for (const [index, source] of (projected.sources ?? []).entries())
    validateProjection(source, `${at}.sources[${index}]`, seen, report);
}

function validateProjection(source: VolumeProjection, at: string, seen: Set<string>, report: Report): void {
  const [first, ...others] = Object.keys(source);
  if (first === undefined)
    return report.required(
      at,
      'one of secret, configMap, downwardAPI, serviceAccountToken or clusterTrustBundle is required',
    );
  for (const kind of others) report.forbidden(`${at}.${kind}`, 'may not specify more than 1 volume type per source');
  const { secret, configMap, downwardAPI, serviceAccountToken } = source;
  for (const [kind, object] of [['secret', secret] as const, ['configMap', configMap] as const]) {
    if (!object) continue;
    if (!object.name) report.required(`${at}.${kind}.name`);
    for (const [index, item] of (object.items ?? []).entries()) {
      validateKeyToPath(item, `${at}.${kind}.items[${index}]`, report);
      claimPath(item.path, object.name ?? '', at, seen, report);
    }
  }
  for (const [index, file] of (downwardAPI?.items ?? []).entries()) {
    validateDownwardFile(file, `${at}.downwardAPI.items[${index}]`, report);
    claimPath(file.path, file.path, at, seen, report);
  }
  if (serviceAccountToken) validateToken(serviceAccountToken, `${at}.serviceAccountToken`, seen, report);
  return undefined;
}

function validateToken(
  token: NonNullable<VolumeProjection['serviceAccountToken']>,
  at: string,
  seen: Set<string>,
  report: Report,
): void {
  const { expirationSeconds, path } = token;
  if (expirationSeconds !== undefined && expirationSeconds < MIN_TOKEN_SECONDS) {
    report.invalid(`${at}.expirationSeconds`, expirationSeconds, 'may not be less than 10 minutes');
  }
  if (expirationSeconds !== undefined && expirationSeconds > MAX_TOKEN_SECONDS) {
    report.invalid(`${at}.expirationSeconds`, expirationSeconds, 'may not be larger than 2^32 seconds');
  }
  if (path === '') report.required(`${at}.path`);
  else report.invalidEach(`${at}.path`, path, isLocalNonReservedPath(path));
  claimPath(path, path, at, seen, report);
}

/** Reports an error if another projection already writes the same file. */
function claimPath(path: string | undefined, owner: string, at: string, seen: Set<string>, report: Report): void {
  if (!path) return;
  if (seen.has(path)) report.invalid(at, owner, 'conflicting duplicate paths');
  else seen.add(path);
}
