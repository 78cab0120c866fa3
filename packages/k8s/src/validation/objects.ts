/** Validates namespaces, service accounts, config maps and secrets. Upstream: pkg/apis/core/validation (v1.36). */

import { decodeBase64 } from '../base64.ts';
import type { FieldError } from '../field-error.ts';
import type { ConfigMap, Namespace, RuntimeClass, Secret, ServiceAccount } from '../types.ts';
import { validateOverhead } from './container/resources.ts';
import { subdomainNames, validateObjectMeta } from './metadata.ts';
import { Report } from './report.ts';
import { byteLength, isConfigMapKey, isDNS1123Label } from './syntax.ts';

/** The maximum size of the data in bytes, which is a limit of etcd. */
const MAX_DATA_BYTES = 1_048_576;

/** Validates a namespace. Upstream: ValidateNamespace (core/validation, v1.36). */
export function validateNamespace(namespace: Namespace): FieldError[] {
  const report = new Report();
  validateObjectMeta(namespace.metadata, { namespaced: false, validateName: isDNS1123Label }, report);
  return report.errors;
}

/** Validates a service account. Upstream: ValidateServiceAccount (core/validation, v1.36). */
export function validateServiceAccount(account: ServiceAccount): FieldError[] {
  const report = new Report();
  validateObjectMeta(account.metadata, subdomainNames, report);
  return report.errors;
}

/** Validates a runtime class. Upstream: ValidateRuntimeClass (node/validation, v1.36). */
export function validateRuntimeClass({ metadata, handler, overhead }: RuntimeClass): FieldError[] {
  const report = new Report();
  validateObjectMeta(metadata, { ...subdomainNames, namespaced: false }, report);
  report.invalidEach('handler', handler, isDNS1123Label(handler));
  validateOverhead(overhead?.podFixed, report, 'overhead.podFixed');
  return report.errors;
}

/** Validates an update of a runtime class. Upstream: ValidateRuntimeClassUpdate (node/validation, v1.36). */
export function validateRuntimeClassUpdate(next: RuntimeClass, current: RuntimeClass): FieldError[] {
  const report = new Report();
  if (next.handler !== current.handler) report.invalid('handler', next.handler, 'field is immutable');
  return [...validateRuntimeClass(next), ...report.errors];
}

/** Validates a config map. Upstream: ValidateConfigMap (core/validation, v1.36). */
export function validateConfigMap(configMap: ConfigMap): FieldError[] {
  const report = new Report();
  validateObjectMeta(configMap.metadata, subdomainNames, report);
  let size = 0;
  for (const [key, value] of Object.entries(configMap.data ?? {})) {
    report.invalidEach(`data[${key}]`, key, isConfigMapKey(key));
    if (configMap.binaryData && Object.hasOwn(configMap.binaryData, key)) {
      report.invalid(`data[${key}]`, key, 'duplicate of key present in binaryData');
    }
    size += byteLength(value);
  }
  for (const [key, value] of Object.entries(configMap.binaryData ?? {})) {
    report.invalidEach(`binaryData[${key}]`, key, isConfigMapKey(key));
    size += decodeBase64(value)?.length ?? 0;
  }
  if (size > MAX_DATA_BYTES) report.tooLong('', MAX_DATA_BYTES);
  return report.errors;
}

/** The keys that secrets of each type must have. */
const requiredKeys: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
};

/**
 * Validates a secret after its defaults were set, so `stringData` is part of `data`. Upstream: ValidateSecret
 * (core/validation, v1.36).
 */
export function validateSecret(secret: Secret): FieldError[] {
  const report = new Report();
  validateObjectMeta(secret.metadata, subdomainNames, report);
  const data = secret.data ?? {};
  let size = 0;
  for (const [key, value] of Object.entries(data)) {
    report.invalidEach(`data[${key}]`, key, isConfigMapKey(key));
    size += decodeBase64(value)?.length ?? 0;
  }
  if (size > MAX_DATA_BYTES) report.tooLong('data', MAX_DATA_BYTES);
  const type = secret.type ?? 'Opaque';
  for (const key of requiredKeys[type] ?? []) {
    if (!Object.hasOwn(data, key)) report.required(`data[${key}]`);
    else if (type.startsWith('kubernetes.io/dockerc') && !isJSON(data[key] ?? '')) {
      report.invalid(`data[${key}]`, '<secret contents redacted>', 'must be JSON');
    }
  }
  if (type === 'kubernetes.io/basic-auth' && !Object.hasOwn(data, 'username') && !Object.hasOwn(data, 'password')) {
    report.required('data[username]');
    report.required('data[password]');
  }
  return report.errors;
}

function isJSON(base64: string): boolean {
  try {
    JSON.parse(new TextDecoder().decode(decodeBase64(base64)));
    return true;
  } catch {
    return false;
  }
}
