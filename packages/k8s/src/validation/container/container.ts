/** Validates the fields that containers of all types share. Upstream: pkg/apis/core/validation (v1.36). */

import type { Container, ContainerPort, PodSpec, Volume } from '../../types.ts';
import type { Report } from '../report.ts';
import { isDNS1123Label, isValidIP, isValidPortName, isValidPortNumber } from '../syntax.ts';
import { validateEnv, validateEnvFrom } from './env.ts';
import { validateVolumeDevices, validateVolumeMounts } from './mounts.ts';
import { validateResourceRequirements } from './resources.ts';
import { validateSecurityContext } from './security.ts';

export interface ContainerContext {
  readonly spec: PodSpec;
  /** The pod's valid volumes, by name. */
  readonly volumes: ReadonlyMap<string, Volume>;
  readonly report: Report;
}

const pullPolicies = ['Always', 'IfNotPresent', 'Never'];

/**
 * Validates one container. Upstream: validateContainerCommon and validateContainerOnlyForPod (core/validation, v1.36).
 */
export function validateContainerCommon(
  container: Container,
  path: string,
  { spec, volumes, report }: ContainerContext,
): void {
  const { name, image = '' } = container;
  if (name === '') report.required(`${path}.name`);
  else report.invalidEach(`${path}.name`, name, isDNS1123Label(name));
  if (image === '') report.required(`${path}.image`);
  else if (image.trim() !== image)
    report.invalid(`${path}.image`, image, 'must not have leading or trailing whitespace');
  report.oneOf(`${path}.terminationMessagePolicy`, container.terminationMessagePolicy, [
    'File',
    'FallbackToLogsOnError',
  ]);
  validatePorts(container.ports, `${path}.ports`, report);
  validateEnv(container.env, `${path}.env`, report);
  validateEnvFrom(container.envFrom, `${path}.envFrom`, report);
  validateVolumeMounts(container, volumes, `${path}.volumeMounts`, report);
  validateVolumeDevices(container, volumes, `${path}.volumeDevices`, report);
  report.oneOf(`${path}.imagePullPolicy`, container.imagePullPolicy, pullPolicies);
  validateResourceRequirements(container.resources, `${path}.resources`, report);
  validateResizePolicy(container, spec, `${path}.resizePolicy`, report);
  validateSecurityContext(container.securityContext, spec, `${path}.securityContext`, report);
}

/** Validates container ports. Upstream: validateContainerPorts (core/validation, v1.36). */
function validatePorts(ports: readonly ContainerPort[] | undefined, path: string, report: Report): void {
  const names = new Set<string>();
  for (const [index, { name, containerPort, hostPort, protocol, hostIP }] of (ports ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (name) {
      const faults = isValidPortName(name);
      if (faults.length > 0) report.invalidEach(`${at}.name`, name, faults);
      else if (names.has(name)) report.duplicate(`${at}.name`, name);
      else names.add(name);
    }
    if (!containerPort) report.required(`${at}.containerPort`);
    else report.invalidEach(`${at}.containerPort`, containerPort, isValidPortNumber(containerPort));
    if (hostPort) report.invalidEach(`${at}.hostPort`, hostPort, isValidPortNumber(hostPort));
    report.oneOf(`${at}.protocol`, protocol, ['SCTP', 'TCP', 'UDP']);
    if (hostIP) report.invalidEach(`${at}.hostIP`, hostIP, isValidIP(hostIP));
  }
}

/** Validates the resize policy of a container. Upstream: validateResizePolicy (core/validation, v1.36). */
function validateResizePolicy(container: Container, spec: PodSpec, path: string, report: Report): void {
  const seen = new Set<string>();
  for (const [index, { resourceName, restartPolicy }] of (container.resizePolicy ?? []).entries()) {
    const at = `${path}[${index}]`;
    if (seen.has(resourceName)) report.duplicate(at, resourceName);
    seen.add(resourceName);
    report.oneOf(`${at}.resourceName`, resourceName, ['cpu', 'memory']);
    report.oneOf(`${at}.restartPolicy`, restartPolicy, ['NotRequired', 'RestartContainer']);
    const effective = container.restartPolicy ?? spec.restartPolicy;
    if (effective === 'Never' && restartPolicy !== 'NotRequired' && !container.restartPolicyRules?.length) {
      report.invalid(`${at}.restartPolicy`, restartPolicy, "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}
