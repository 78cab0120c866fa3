/** Rejects new objects in missing or terminating namespaces. */
import { ApiError, forbidden, notFound } from '../api-errors.ts';
import type { Storage } from '../storage/storage.ts';

/**
 * Throws when the namespace of a new object doesn't exist or is terminating. Upstream: admission plugin
 * NamespaceLifecycle (v1.36).
 */
export function checkNamespaceTakes(storage: Storage, resource: string, name: string, namespace: string): void {
  const found = storage.get('Namespace', undefined, namespace);
  if (!found) throw notFound('namespaces', namespace);
  if (found.metadata.deletionTimestamp === undefined) return;
  const message = `unable to create new content in namespace ${namespace} because it is being terminated`;
  const { details, message: text } = forbidden(resource, name, message);
  throw new ApiError(403, 'Forbidden', text, {
    ...details,
    causes: [
      {
        reason: 'NamespaceTerminating',
        message: `namespace ${namespace} is being terminated`,
        field: 'metadata.namespace',
      },
    ],
  });
}
