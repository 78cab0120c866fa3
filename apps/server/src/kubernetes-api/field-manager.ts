/** Under which name a request's fields are owned. Upstream: managerOrUserAgent and validation of fieldManager (apiserver, v1.36). */
import { ApiError } from '@podscope/cluster';
import type { Request } from 'express';
import { textParameter } from './parameters.ts';

const maxLength = 128;

const invalidOptions = (field: string, detail: string): ApiError =>
  new ApiError(422, 'Invalid', `PatchOptions.meta.k8s.io "" is invalid: ${field}: ${detail}`, { kind: 'PatchOptions', group: 'meta.k8s.io' });

/** The name the client gives itself; else the program's. Fails with Invalid. */
export function fieldManagerOf(request: Request): string {
  const given = textParameter(request, 'fieldManager');
  if (given !== undefined && (given.length > maxLength || !/^[\x20-\x7e]+$/.test(given))) {
    throw invalidOptions(
      'fieldManager',
      `Invalid value: ${JSON.stringify(given.slice(0, maxLength))}: may not be longer than ${maxLength} printable characters`,
    );
  }
  const [program = ''] = (request.headers['user-agent'] ?? '').split('/');
  return given ?? (program.slice(0, maxLength) || 'unknown');
}

/** An apply must say who applies. Fails with Invalid. */
export function requiredFieldManager(request: Request): string {
  if (textParameter(request, 'fieldManager') === undefined) throw invalidOptions('fieldManager', 'Required value: is required for apply patch');
  return fieldManagerOf(request);
}

/** Fails with Invalid for what only an apply may have. */
export function refuseForce(request: Request): void {
  if (textParameter(request, 'force') !== undefined) throw invalidOptions('force', 'Forbidden: may not be specified for non-apply patch');
}
