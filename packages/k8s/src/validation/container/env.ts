/**
 * Validates the environment of a container. Also validates references to fields and resources, which downward API
 * volumes contain, too. Upstream: pkg/apis/core/validation (v1.36).
 */

import { splitMaybeSubscriptedPath } from '../../fieldpath.ts';
import type { EnvFromSource, EnvVar, KeySelector, ObjectFieldSelector, ResourceFieldSelector } from '../../types.ts';
import type { Report } from '../report.ts';
import {
  isConfigMapKey,
  isDNS1123Label,
  isDNS1123Subdomain,
  isLocalNonReservedPath,
  isQualifiedName,
  isValidEnvVarName,
} from '../syntax.ts';

const envFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** The field paths that the API's conversion supports. The conversion rejects all others. */
const convertibleFieldPaths = [
  ...envFieldPaths,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
];

const resourceFields = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];
const resourceFieldPrefixes = ['limits.hugepages-', 'requests.hugepages-'];

/** Validates environment variables. Upstream: ValidateEnv (core/validation, v1.36). */
export function validateEnv(variables: readonly EnvVar[] | undefined, path: string, report: Report): void {
  for (const [index, variable] of (variables ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (!variable.name) report.required(`${at}.name`);
    else report.invalidEach(`${at}.name`, variable.name, isValidEnvVarName(variable.name));
    validateValueFrom(variable, `${at}.valueFrom`, report);
  }
}

function validateValueFrom({ value, valueFrom }: EnvVar, path: string, report: Report): void {
  if (!valueFrom) return;
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef } = valueFrom;
  const sources = [fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef, fileKeyRef].filter(
    (source) => source !== undefined,
  ).length;
  if (fieldRef) validateFieldRef(fieldRef, envFieldPaths, `${path}.fieldRef`, report);
  if (resourceFieldRef) validateResourceFieldRef(resourceFieldRef, `${path}.resourceFieldRef`, false, report);
  if (configMapKeyRef) validateKeySelector(configMapKeyRef, `${path}.configMapKeyRef`, report);
  if (secretKeyRef) validateKeySelector(secretKeyRef, `${path}.secretKeyRef`, report);
  if (fileKeyRef) {
    if (!fileKeyRef.key) report.required(`${path}.fileKeyRef.key`);
    else report.invalidEach(`${path}.fileKeyRef.key`, fileKeyRef.key, isValidEnvVarName(fileKeyRef.key));
    if (!fileKeyRef.volumeName) report.required(`${path}.fileKeyRef.volumeName`);
    else
      report.invalidEach(`${path}.fileKeyRef.volumeName`, fileKeyRef.volumeName, isDNS1123Label(fileKeyRef.volumeName));
    if (!fileKeyRef.path) report.required(`${path}.fileKeyRef.path`);
    else report.invalidEach(`${path}.fileKeyRef.path`, fileKeyRef.path, isLocalNonReservedPath(fileKeyRef.path));
  }
  if (sources === 0) {
    report.invalid(
      path,
      '',
      'must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`',
    );
  } else if (value) report.invalid(path, '', 'may not be specified when `value` is not empty');
  else if (sources > 1) report.invalid(path, '', 'may not have more than one field specified at a time');
}

/**
 * Validates a key selector. Upstream: validateConfigMapKeySelector and validateSecretKeySelector (core/validation,
 * v1.36).
 */
function validateKeySelector({ name = '', key }: KeySelector, path: string, report: Report): void {
  report.invalidEach(`${path}.name`, name, isDNS1123Subdomain(name));
  if (!key) report.required(`${path}.key`);
  else report.invalidEach(`${path}.key`, key, isConfigMapKey(key));
}

/** Validates a `fieldRef`. Upstream: validateObjectFieldSelector (core/validation, v1.36). */
export function validateFieldRef(
  selector: ObjectFieldSelector,
  supported: readonly string[],
  path: string,
  report: Report,
): void {
  const { apiVersion, fieldPath } = selector;
  if (!apiVersion) return report.required(`${path}.apiVersion`);
  if (!fieldPath) return report.required(`${path}.fieldPath`);
  if (apiVersion !== 'v1') {
    return report.invalid(
      `${path}.fieldPath`,
      fieldPath,
      `error converting fieldPath: unsupported pod version: ${apiVersion}`,
    );
  }
  const subscripted = splitMaybeSubscriptedPath(fieldPath);
  if (!subscripted) {
    if (!convertibleFieldPaths.includes(fieldPath)) {
      return report.invalid(
        `${path}.fieldPath`,
        fieldPath,
        `error converting fieldPath: field label not supported: ${fieldPath}`,
      );
    }
    if (!supported.includes(fieldPath)) report.notSupported(`${path}.fieldPath`, fieldPath, supported);
    return undefined;
  }
  switch (subscripted.path) {
    case 'metadata.annotations':
      return report.invalidEach(
        path,
        subscripted.subscript.toLowerCase(),
        isQualifiedName(subscripted.subscript.toLowerCase()),
      );
    case 'metadata.labels':
      return report.invalidEach(path, subscripted.subscript, isQualifiedName(subscripted.subscript));
    default:
      return report.invalid(
        `${path}.fieldPath`,
        fieldPath,
        `error converting fieldPath: field label does not support subscript: ${fieldPath}`,
      );
  }
}

/** Validates a `resourceFieldRef`. Upstream: validateContainerResourceFieldSelector (core/validation, v1.36). */
export function validateResourceFieldRef(
  selector: ResourceFieldSelector,
  path: string,
  inVolume: boolean,
  report: Report,
): void {
  const { containerName, resource, divisor } = selector;
  if (inVolume && !containerName) report.required(`${path}.containerName`);
  else if (!resource) report.required(`${path}.resource`);
  else if (!resourceFields.includes(resource) && !resourceFieldPrefixes.some((prefix) => resource.startsWith(prefix))) {
    report.notSupported(`${path}.resource`, resource, resourceFields);
  }
  validateDivisor(resource, String(divisor ?? '0'), path, report);
}

const cpuDivisors = ['1m', '1'];
const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** Validates the divisor of a resource. Upstream: validateContainerResourceDivisor (core/validation, v1.36). */
function validateDivisor(resource: string, divisor: string, path: string, report: Report): void {
  if (divisor === '0') return;
  const [, name = ''] = resource.split('.');
  if (name === 'cpu' && !cpuDivisors.includes(divisor)) {
    report.invalid(`${path}.divisor`, 'divisor', "only divisor's values 1m and 1 are supported with the cpu resource");
  } else if (
    (name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-')) &&
    !byteDivisors.includes(divisor)
  ) {
    const which =
      name === 'ephemeral-storage' ? 'local ephemeral storage' : name.startsWith('hugepages-') ? 'hugepages' : 'memory';
    report.invalid(
      `${path}.divisor`,
      'divisor',
      `only divisor's values 1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei are supported with the ` +
        `${which} resource`,
    );
  }
}

/** Validates `envFrom`. Upstream: ValidateEnvFrom (core/validation, v1.36). */
export function validateEnvFrom(sources: readonly EnvFromSource[] | undefined, path: string, report: Report): void {
  for (const [index, { prefix, configMapRef, secretRef }] of (sources ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (prefix) report.invalidEach(`${at}.prefix`, prefix, isValidEnvVarName(prefix));
    if (configMapRef)
      report.invalidEach(
        `${at}.configMapRef.name`,
        configMapRef.name ?? '',
        isDNS1123Subdomain(configMapRef.name ?? ''),
      );
    if (secretRef)
      report.invalidEach(`${at}.secretRef.name`, secretRef.name ?? '', isDNS1123Subdomain(secretRef.name ?? ''));
    if (!configMapRef && !secretRef) report.invalid(at, '', 'must specify one of: `configMapRef` or `secretRef`');
    else if (configMapRef && secretRef) report.invalid(at, '', 'may not have more than one field specified at a time');
  }
}
