/**
 * Determines the field manager of a request. Upstream: managerOrUserAgent and validation of fieldManager (apiserver,
 * v1.36).
 */
import { ApiError } from '@podscope/apiserver';
import type { Request } from 'express';
import { textParameter } from '../requests/parameters.ts';

const maxLength = 128;

const invalidOptions = (field: string, detail: string): ApiError =>
  new ApiError(422, 'Invalid', `PatchOptions.meta.k8s.io "" is invalid: ${field}: ${detail}`, {
    kind: 'PatchOptions',
    group: 'meta.k8s.io',
  });

/** Returns the `fieldManager` parameter, or else the program name in the User-Agent header. @throws ApiError Invalid */
export function fieldManagerOf(request: Request): string {
  const given = textParameter(request, 'fieldManager');
  if (given !== undefined && (given.length > maxLength || !/^[\x20-\x7e]+$/.test(given))) {
    throw invalidOptions(
      'fieldManager',
      `Invalid value: ${JSON.stringify(given.slice(0, maxLength))}: may not be longer than ${maxLength} ` +
        'printable characters',
    );
  }
  const [program = ''] = (request.headers['user-agent'] ?? '').split('/');
  return given ?? (program.slice(0, maxLength) || 'unknown');
}

/**
 * Returns the field manager of an apply. Only an apply requires the parameter.
 * @throws ApiError Invalid
 */
export function requiredFieldManager(request: Request): string {
  if (textParameter(request, 'fieldManager') === undefined)
    throw invalidOptions('fieldManager', 'Required value: is required for apply patch');
  return fieldManagerOf(request);
}

/**
 * Rejects `force` for operations other than an apply.
 * @throws ApiError Invalid
 */
export function refuseForce(request: Request): void {
  if (textParameter(request, 'force') !== undefined)
    throw invalidOptions('force', 'Forbidden: may not be specified for non-apply patch');
}
