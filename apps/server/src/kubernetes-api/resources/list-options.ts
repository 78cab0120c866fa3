/**
 * Validates the resource version of a list or watch. Upstream: ValidateListOptions (apimachinery
 * meta/internalversion/validation, v1.36).
 */
import { ApiError, badRequest, expired, resourceVersionTooLarge, type Storage } from '@podscope/apiserver';
import type { Request } from 'express';
import { booleanParameter, textParameter } from '../requests/parameters.ts';

const invalidOptions = (field: string, detail: string): ApiError =>
  new ApiError(422, 'Invalid', `ListOptions.meta.k8s.io "" is invalid: ${field}: ${detail}`, {
    kind: 'ListOptions',
    group: 'meta.k8s.io',
    causes: [{ reason: 'FieldValueForbidden', message: detail, field }],
  });

interface ListOptions {
  readonly resourceVersion: string;
  readonly match: string | undefined;
}

function readOptions(request: Request): ListOptions {
  const resourceVersion = textParameter(request, 'resourceVersion') ?? '';
  if (!/^\d{0,15}$/.test(resourceVersion))
    throw badRequest(`resourceVersion: Invalid value: ${JSON.stringify(resourceVersion)}: must be a whole number`);
  return { resourceVersion, match: textParameter(request, 'resourceVersionMatch') };
}

/**
 * Validates the options of a list. Only the newest version can be listed.
 * @throws ApiError Invalid, BadRequest, Expired, or Timeout for a version in the future
 */
export function checkListOptions(storage: Storage, request: Request): void {
  const { resourceVersion, match } = readOptions(request);
  if (booleanParameter(request, 'sendInitialEvents'))
    throw invalidOptions('sendInitialEvents', 'Forbidden: sendInitialEvents is forbidden for list');
  if (match !== undefined) {
    if (resourceVersion === '')
      throw invalidOptions(
        'resourceVersionMatch',
        'Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      );
    if (textParameter(request, 'continue') !== undefined) {
      throw invalidOptions(
        'resourceVersionMatch',
        'Forbidden: resourceVersionMatch is forbidden when continue is provided',
      );
    }
    if (match !== 'Exact' && match !== 'NotOlderThan') {
      throw invalidOptions(
        'resourceVersionMatch',
        `Unsupported value: ${JSON.stringify(match)}: supported values: "Exact", "NotOlderThan", ""`,
      );
    }
    if (match === 'Exact' && resourceVersion === '0') {
      throw invalidOptions(
        'resourceVersionMatch',
        'Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
      );
    }
  }
  const wanted = Number(resourceVersion);
  if (wanted > storage.resourceVersion) throw resourceVersionTooLarge(wanted, storage.resourceVersion);
  if (match === 'Exact' && wanted < storage.resourceVersion) throw expired(wanted, storage.resourceVersion);
}

/** Validates the options of a watch. @throws ApiError Invalid or BadRequest */
export function checkWatchOptions(request: Request): void {
  const { match } = readOptions(request);
  const initial = textParameter(request, 'sendInitialEvents') !== undefined;
  if (initial && match !== 'NotOlderThan') {
    throw invalidOptions(
      'resourceVersionMatch',
      'Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    );
  }
  if (!initial && match !== undefined) {
    throw invalidOptions(
      'resourceVersionMatch',
      'Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    );
  }
}
