/** Validates pods that have their defaults, as the API server does. Upstream: pkg/apis/core/validation (v1.36). */

import { podMirrorAnnotation, visitContainers } from '../containers.ts';
import type { FieldError } from '../field-error.ts';
import type { Pod, PodSpec } from '../types.ts';
import { validateContainers, validateEphemeralContainers, validateInitContainers } from './container/containers.ts';
import { validateOverhead, validatePodLevelResources } from './container/resources.ts';
import { validatePodSecurityContext } from './container/security.ts';
import { subdomainNames, validateObjectMeta } from './metadata.ts';
import { validateNetwork } from './network.ts';
import { Report } from './report.ts';
import { validateScheduling } from './scheduling.ts';
import { rangeFault } from './syntax.ts';
import { validateVolumes } from './volumes/volumes.ts';

const MAX_INT32 = 2_147_483_647;

/**
 * Validates a new pod. The pod must have its defaults (see defaultPod), because a missing default is reported as an
 * error. Upstream: ValidatePodCreate (core/validation, v1.36).
 */
export function validatePodCreate(pod: Pod): FieldError[] {
  const report = new Report();
  validatePodMetadataAndSpec(pod, report);
  if (pod.spec.ephemeralContainers?.length) report.forbidden('spec.ephemeralContainers', 'cannot be set on create');
  return report.errors;
}

/** Validates a new or existing pod. Upstream: validatePodMetadataAndSpec (core/validation, v1.36). */
export function validatePod(pod: Pod): FieldError[] {
  const report = new Report();
  validatePodMetadataAndSpec(pod, report);
  return report.errors;
}

export function validatePodMetadataAndSpec(pod: Pod, report: Report): void {
  validateObjectMeta(pod.metadata, subdomainNames, report);
  const mirror = pod.metadata.annotations?.[podMirrorAnnotation];
  if (mirror !== undefined && !pod.spec.nodeName) {
    report.invalid(
      `metadata.annotations[${podMirrorAnnotation}]`,
      mirror,
      'must set spec.nodeName if mirror pod annotation is specified',
    );
  }
  validatePodSpec(pod, report);
}

/** Validates the spec of a pod. Upstream: ValidatePodSpec (core/validation, v1.36). */
function validatePodSpec(pod: Pod, report: Report): void {
  const { spec } = pod;
  if (spec.terminationGracePeriodSeconds === undefined) report.required('spec.terminationGracePeriodSeconds');
  const context = { spec, volumes: validateVolumes(spec.volumes, report), report };
  validateContainers(context);
  validateInitContainers(context);
  validateEphemeralContainers(context);
  validatePodLevelResources(pod, report);
  validateHostPorts(spec, report);
  report.oneOf('spec.restartPolicy', spec.restartPolicy, ['Always', 'OnFailure', 'Never']);
  validateNetwork(spec, report);
  validatePodSecurityContext(spec, report);
  validateScheduling(spec, report);
  validateHostUsers(spec, report);
  const { activeDeadlineSeconds } = spec;
  if (activeDeadlineSeconds !== undefined && (activeDeadlineSeconds < 1 || activeDeadlineSeconds > MAX_INT32)) {
    report.invalid('spec.activeDeadlineSeconds', activeDeadlineSeconds, rangeFault(1, MAX_INT32));
  }
  validateOverhead(spec.overhead, report);
  validateOS(spec, report);
}

/**
 * Checks that a pod on the host network has equal host ports and container ports. Upstream: validatePodHostNetworkDeps
 * (core/validation, v1.36).
 */
function validateHostPorts(spec: PodSpec, report: Report): void {
  if (!spec.hostNetwork) return;
  for (const [index, container] of spec.containers.entries()) {
    for (const [position, { hostPort = 0, containerPort }] of (container.ports ?? []).entries()) {
      if (hostPort !== containerPort) {
        const path = `spec.containers[${index}].ports[${position}].hostPort`;
        report.invalid(path, hostPort, 'must match `containerPort` when `hostNetwork` is true');
      }
    }
  }
}

/**
 * Checks that a pod with its own user namespace shares no host namespace. Upstream: validateHostUsers (core/validation,
 * v1.36).
 */
function validateHostUsers(spec: PodSpec, report: Report): void {
  if (spec.hostUsers !== false) return;
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC'] as const) {
    if (spec[field]) report.forbidden(`spec.${field}`, 'when `pod.Spec.HostUsers` is false');
  }
}

const systems = ['linux', 'windows'];

/**
 * Validates `spec.os`. The rules for Windows aren't checked, because no node here runs Windows. Upstream: validateOS,
 * validateLinux (core/validation, v1.36).
 */
function validateOS(spec: PodSpec, report: Report): void {
  if (!spec.os) return;
  const { name } = spec.os;
  if (!name) return report.required('spec.os.name', 'cannot be empty');
  if (!systems.includes(name)) return report.notSupported('spec.os', name, systems);
  if (name !== 'linux') return undefined;
  const detail = 'windows options cannot be set for a linux pod';
  if (spec.securityContext?.windowsOptions) report.forbidden('spec.securityContext.windowsOptions', detail);
  for (const { kind, index, container } of visitContainers(spec)) {
    if (container.securityContext?.windowsOptions)
      report.forbidden(`spec.${kind}[${index}].securityContext.windowsOptions`, detail);
  }
  return undefined;
}
