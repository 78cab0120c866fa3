/** Sets the API server's defaults of secrets and namespaces. Upstream: pkg/apis/core/v1/defaults.go (v1.36). */

import { encodeBase64 } from '../base64.ts';
import type { Namespace, Secret } from '../types.ts';

/**
 * Returns the secret with its type, which defaults to Opaque. Merges `stringData` into `data`; equal keys come from
 * `stringData`. Upstream: SetDefaults_Secret and secret conversion (core/v1, v1.36).
 */
export function defaultSecret(secret: Secret): Secret {
  const { stringData, ...rest } = secret;
  const folded = Object.entries(stringData ?? {}).map(([key, text]) => [key, encodeBase64(text)] as const);
  return {
    ...rest,
    ...((secret.data || stringData) && { data: { ...secret.data, ...Object.fromEntries(folded) } }),
    type: secret.type || 'Opaque',
  };
}

/**
 * Returns a new namespace with three additions: its name as a label, the finalizer and the phase Active. Upstream:
 * SetDefaults_Namespace and namespaceStrategy (v1.36).
 */
export function defaultNamespace(namespace: Namespace): Namespace {
  const { metadata, spec, status } = namespace;
  return {
    ...namespace,
    metadata: {
      ...metadata,
      ...(metadata.name && { labels: { ...metadata.labels, 'kubernetes.io/metadata.name': metadata.name } }),
    },
    spec: { ...spec, finalizers: spec?.finalizers ?? ['kubernetes'] },
    status: { ...status, phase: status?.phase ?? 'Active' },
  };
}
