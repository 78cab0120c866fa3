/**
 * Validates a pod's regular, init and ephemeral containers: allowed fields and unique names. Upstream:
 * pkg/apis/core/validation (v1.36).
 */

import { isRestartableInitContainer } from '../../containers.ts';
import type { Container, EphemeralContainer } from '../../types.ts';
import type { Report } from '../report.ts';
import { type ContainerContext, validateContainerCommon } from './container.ts';
import { type ProbeName, validateLifecycle, validateProbe } from './probes.ts';

const MAX_RESTART_RULES = 20;
const MAX_EXIT_CODES = 255;
const probeNames: readonly ProbeName[] = ['livenessProbe', 'readinessProbe', 'startupProbe'];

/** Validates the regular containers. Upstream: validateContainers (core/validation, v1.36). */
export function validateContainers(context: ContainerContext): void {
  const { spec, report } = context;
  const containers = spec.containers;
  if (containers.length === 0) return report.required('spec.containers');
  const names = new Set<string>();
  for (const [index, container] of containers.entries()) {
    const path = `spec.containers[${index}]`;
    validateContainerCommon(container, path, context);
    if (names.has(container.name)) report.duplicate(`${path}.name`, container.name);
    else names.add(container.name);
    validateHooks(container, path, context);
    validateRestartPolicy(container, path, report);
  }
  const hostPorts = new Set<string>();
  for (const [index, container] of containers.entries())
    claimHostPorts(container, `spec.containers[${index}]`, hostPorts, report);
  return undefined;
}

/** Validates the init containers. Upstream: validateInitContainers (core/validation, v1.36). */
export function validateInitContainers(context: ContainerContext): void {
  const { spec, report } = context;
  const names = new Set(spec.containers.map(({ name }) => name));
  for (const [index, container] of (spec.initContainers ?? []).entries()) {
    const path = `spec.initContainers[${index}]`;
    validateContainerCommon(container, path, context);
    validateRestartPolicy(container, path, report);
    if (names.has(container.name)) report.duplicate(`${path}.name`, container.name);
    else if (container.name) names.add(container.name);
    // Ordinary init containers run one after another, so several of them may use the same port.
    claimHostPorts(container, path, new Set(), report);
    if (isRestartableInitContainer(container)) validateHooks(container, path, context);
    else forbidHooks(container, path, report);
  }
}

function validateHooks(container: Container, path: string, { spec, report }: ContainerContext): void {
  const gracePeriod = spec.terminationGracePeriodSeconds ?? 0;
  validateLifecycle(container.lifecycle, spec, gracePeriod, `${path}.lifecycle`, report);
  for (const name of probeNames) validateProbe(name, container[name], gracePeriod, `${path}.${name}`, report);
}

function forbidHooks(container: Container, path: string, report: Report): void {
  for (const field of ['lifecycle', ...probeNames] as const) {
    if (container[field])
      report.forbidden(`${path}.${field}`, 'may not be set for init containers without restartPolicy=Always');
  }
  for (const [index, { restartPolicy }] of (container.resizePolicy ?? []).entries()) {
    if (restartPolicy === 'RestartContainer') {
      const fault = "must not be set to 'RestartContainer' for non-sidecar initContainers";
      report.invalid(`${path}.resizePolicy[${index}].restartPolicy`, restartPolicy, fault);
    }
  }
}

/**
 * Validates the restart policy and restart rules of a container. Upstream: validateContainerRestartPolicy
 * (core/validation, v1.36).
 */
function validateRestartPolicy(
  { restartPolicy, restartPolicyRules = [] }: Container,
  path: string,
  report: Report,
): void {
  const supported = ['Always', 'Never', 'OnFailure'];
  if (restartPolicy !== undefined) {
    if (!supported.includes(restartPolicy)) report.notSupported(`${path}.restartPolicy`, restartPolicy, supported);
  } else if (restartPolicyRules.length > 0) {
    report.required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
  }
  if (restartPolicyRules.length > MAX_RESTART_RULES)
    report.tooMany(`${path}.restartPolicyRules`, restartPolicyRules.length, MAX_RESTART_RULES);
  for (const [index, { action, exitCodes }] of restartPolicyRules.entries()) {
    const at = `${path}.restartPolicyRules[${index}]`;
    if (action !== 'Restart' && action !== 'RestartAllContainers') {
      report.notSupported(`${at}.action`, action, ['Restart', 'RestartAllContainers']);
    }
    if (!exitCodes) {
      report.required(`${at}.exitCodes`, 'must be specified');
      continue;
    }
    const { operator, values = [] } = exitCodes;
    if (operator !== 'In' && operator !== 'NotIn')
      report.notSupported(`${at}.exitCodes.operator`, operator, ['In', 'NotIn']);
    if (values.length > MAX_EXIT_CODES) report.tooMany(`${at}.exitCodes.values`, values.length, MAX_EXIT_CODES);
  }
}

/**
 * Reports host ports in `taken` as duplicates and adds the others. Upstream: AccumulateUniqueHostPorts
 * (core/validation, v1.36).
 */
function claimHostPorts(container: Container, path: string, taken: Set<string>, report: Report): void {
  for (const [index, { hostPort, protocol, hostIP = '' }] of (container.ports ?? []).entries()) {
    if (!hostPort) continue;
    const key = `${protocol}/${hostIP}/${hostPort}`;
    if (taken.has(key)) report.duplicate(`${path}.ports[${index}].hostPort`, key);
    else taken.add(key);
  }
}

/** The fields that an ephemeral container can't have, because it isn't part of the pod's service. */
const forbiddenForEphemeral = [
  'ports',
  'resources',
  'resizePolicy',
  'restartPolicy',
  'restartPolicyRules',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
] as const;

/** Validates the ephemeral containers. Upstream: validateEphemeralContainers (core/validation, v1.36). */
export function validateEphemeralContainers(context: ContainerContext): void {
  const { spec, report } = context;
  const targets = new Set([...spec.containers, ...(spec.initContainers ?? [])].map(({ name }) => name));
  const names = new Set(targets);
  for (const [index, container] of (spec.ephemeralContainers ?? []).entries()) {
    const path = `spec.ephemeralContainers[${index}]`;
    validateContainerCommon(container, path, context);
    if (names.has(container.name)) report.duplicate(`${path}.name`, container.name);
    else names.add(container.name);
    const { targetContainerName } = container;
    if (targetContainerName && !targets.has(targetContainerName))
      report.notFound(`${path}.targetContainerName`, targetContainerName);
    for (const field of forbiddenForEphemeral) {
      if (!isUnset(container[field])) report.forbidden(`${path}.${field}`, 'cannot be set for an Ephemeral Container');
    }
    forbidSubPaths(container, path, report);
  }
}

function forbidSubPaths(container: EphemeralContainer, path: string, report: Report): void {
  for (const [index, mount] of (container.volumeMounts ?? []).entries()) {
    for (const field of ['subPath', 'subPathExpr'] as const) {
      if (mount[field])
        report.forbidden(`${path}.volumeMounts[${index}].${field}`, 'cannot be set for an Ephemeral Container');
    }
  }
}

function isUnset(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}
