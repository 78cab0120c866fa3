/** Validates changes through the resize subresource of pods. Upstream: ValidatePodResize (core/validation, v1.36). */

import { isRestartableInitContainer, podMirrorAnnotation } from '../containers.ts';
import type { FieldError } from '../field-error.ts';
import { computePodQOS, getPodQOS } from '../resources/qos.ts';
import { isPodLevelResourcesSet } from '../resources/resources.ts';
import { semanticEqual } from '../semantic-equal.ts';
import type { Container, Pod, PodSpec, ResourceList, ResourceRequirements } from '../types.ts';
import { validateObjectMetaUpdate } from './metadata.ts';
import { validatePodMetadataAndSpec } from './pod.ts';
import { Report } from './report.ts';

/** The feature gates on which a resize depends. */
export interface PodResizeGates {
  /** InPlacePodLevelResourcesVerticalScaling. Default: on. */
  readonly podLevelResources?: boolean | undefined;
  /** InPlacePodVerticalScalingInitContainers. Default: on. */
  readonly initContainers?: boolean | undefined;
}

const containerLists = ['containers', 'initContainers'] as const;

type ContainerList = (typeof containerLists)[number];

/**
 * Validates a change that may affect only cpu and memory of containers and of the pod, and not the QoS class. Both pods
 * must have defaults.
 */
export function validatePodResize(next: Pod, previous: Pod, gates: PodResizeGates = {}): FieldError[] {
  const refusal = refusedKind(previous);
  if (refusal !== undefined) return [{ type: 'Forbidden', field: '', detail: refusal }];
  const report = new Report();
  validateObjectMetaUpdate(next.metadata, previous.metadata, report);
  validatePodMetadataAndSpec(next, report);
  if (getPodQOS(previous) !== computePodQOS(next))
    report.invalid('spec', next.status?.qosClass ?? '', 'Pod QOS Class may not change as a result of resizing');
  if (!isSupportedByNode(previous)) report.forbidden('spec', 'Pod running on node without support for resize');

  let masked = next.spec;
  if (isPodLevelResourcesSet(previous) || isPodLevelResourcesSet(next)) {
    if (gates.podLevelResources === false) {
      const gate = 'InPlacePodLevelResourcesVerticalScalingEnabled';
      report.forbidden(
        '',
        `resize of pods with pod-level resources is forbidden when ${gate} feature gate is disabled`,
      );
      return report.errors;
    }
    masked = { ...masked, resources: validatePodResources(next.spec, previous.spec, report) };
  }
  if ((previous.status?.nodeAllocatableResourceClaimStatuses ?? []).length > 0)
    report.forbidden('spec', 'pods with node allocatable resource claims cannot be resized');
  if (!validateOrder(next.spec, previous.spec, report)) return report.errors;
  validateNothingRemoved(next.spec, previous.spec, gates, report);
  masked = {
    ...masked,
    containers: maskContainers(next.spec, previous.spec, report),
    initContainers: maskInitContainers(next.spec, previous.spec, gates, report),
  };
  if (report.errors.length === 0 && !semanticEqual(masked, previous.spec))
    report.forbidden('spec', 'only cpu and memory resources are mutable');
  return report.errors;
}

/** Returns why a pod of this kind can't be resized. Upstream reports this error alone. */
function refusedKind({ metadata, spec }: Pod): string | undefined {
  if (metadata.annotations?.[podMirrorAnnotation] !== undefined) return 'static pods cannot be resized';
  return spec.os?.name === 'windows' ? 'windows pods cannot be resized' : undefined;
}

/**
 * Returns whether the node reports the resources of running containers. Without running containers, it is assumed to
 * support resizes. Upstream: isPodResizeRequestSupported.
 */
function isSupportedByNode({ status }: Pod): boolean {
  const running = status?.containerStatuses?.find(({ state }) => state?.running);
  return !running || running.resources !== undefined;
}

/**
 * Validates the change of the pod's own resources. Returns the new ones with the old cpu and memory. Upstream:
 * validatePodLevelResourcesResize.
 */
function validatePodResources(next: PodSpec, previous: PodSpec, report: Report): ResourceRequirements | undefined {
  if (previous.resources && !next.resources) {
    report.forbidden('spec.resources', 'pod-level resources cannot be removed');
    return undefined;
  }
  for (const side of ['requests', 'limits'] as const) {
    if (previous.resources && areRemoved(next.resources?.[side], previous.resources[side]))
      report.forbidden(`spec.resources.${side}`, `pod-level resource ${side} cannot be removed`);
  }
  const resources = withoutEmpty({ ...next.resources, ...withOldCpuAndMemory(next.resources, previous.resources) });
  if (!semanticEqual(resources, withoutEmpty(previous.resources)))
    report.forbidden('spec', 'only cpu and memory resources are mutable at pod-level');
  return resources;
}

/** Returns undefined for resources without a value. */
const withoutEmpty = (resources: ResourceRequirements | undefined): ResourceRequirements | undefined =>
  Object.values(resources ?? {}).every((value) => semanticEqual(value, undefined)) ? undefined : resources;

/** Returns whether a resource of the old list is missing in the new one. Upstream: resourcesRemoved. */
const areRemoved = (next: ResourceList = {}, previous: ResourceList = {}): boolean =>
  Object.keys(previous).some((name) => next[name] === undefined);

/** Upstream: dropCPUMemoryUpdates. */
function withOldCpuAndMemory(
  next: ResourceRequirements | undefined,
  previous: ResourceRequirements | undefined,
): Pick<ResourceRequirements, 'limits' | 'requests'> {
  const mask = (side: 'limits' | 'requests'): ResourceList => {
    const { cpu: _cpu, memory: _memory, ...others } = next?.[side] ?? {};
    const { cpu, memory } = previous?.[side] ?? {};
    return { ...others, ...(cpu !== undefined && { cpu }), ...(memory !== undefined && { memory }) };
  };
  return { limits: mask('limits'), requests: mask('requests') };
}

/** Returns whether the containers are the same in the same order. Upstream: validatePodResizeContainerOrdering. */
function validateOrder(next: PodSpec, previous: PodSpec, report: Report): boolean {
  const before = report.errors.length;
  for (const list of containerLists) {
    const [containers, old] = [next[list] ?? [], previous[list] ?? []];
    if (containers.length !== old.length) {
      report.forbidden(`spec.${list}`, `${list} may not be added or removed on resize`);
      continue;
    }
    for (const [index, { name }] of old.entries()) {
      if (containers[index]?.name !== name)
        report.forbidden(`spec.${list}[${index}].name`, `${list} may not be renamed or reordered on resize`);
    }
  }
  return report.errors.length === before;
}

/** Reports removed requests and limits of containers. Upstream: validateContainerResize. */
function validateNothingRemoved(next: PodSpec, previous: PodSpec, gates: PodResizeGates, report: Report): void {
  for (const list of ['initContainers', 'containers'] as const) {
    for (const [index, old] of (previous[list] ?? []).entries()) {
      if (list === 'initContainers' && !isResizable(old, gates)) continue;
      for (const side of ['requests', 'limits'] as const) {
        if (areRemoved(next[list]?.[index]?.resources?.[side], old.resources?.[side]))
          report.forbidden(`spec.${list}[${index}].resources.${side}`, `resource ${side} cannot be removed`);
      }
    }
  }
}

/** Returns whether the resources of an init container may change. */
const isResizable = (container: Container, { initContainers = true }: PodResizeGates): boolean =>
  initContainers || isRestartableInitContainer(container);

/**
 * Returns the new containers with the old cpu and memory. As in upstream, resource claims are dropped, so a container
 * that has any can't be resized. Upstream: dropCPUMemoryResourcesFromContainer.
 */
const masked = (list: ContainerList, next: PodSpec, previous: PodSpec): readonly Container[] =>
  (next[list] ?? []).map((container, index) => ({
    ...container,
    resources: withoutEmpty(withOldCpuAndMemory(container.resources, previous[list]?.[index]?.resources)),
  }));

function maskContainers(next: PodSpec, previous: PodSpec, report: Report): readonly Container[] {
  const containers = masked('containers', next, previous);
  for (const [index, container] of containers.entries()) {
    if (!semanticEqual(container, previous.containers[index]))
      report.forbidden('spec', 'only cpu and memory resources are mutable');
  }
  return containers;
}

function maskInitContainers(
  next: PodSpec,
  previous: PodSpec,
  gates: PodResizeGates,
  report: Report,
): readonly Container[] | undefined {
  const { initContainers } = next;
  if (!initContainers) return undefined;
  const masks = masked('initContainers', next, previous);
  return initContainers.map((container, index) => {
    const path = `spec.initContainers[${index}]`;
    const old = previous.initContainers?.[index];
    const mask = masks[index];
    const isChanged = !semanticEqual(container, old);
    if (!isResizable(container, gates) || !mask) {
      if (isChanged) report.forbidden('spec', 'resources for non-sidecar init containers are immutable');
      return container;
    }
    if (!semanticEqual(mask, old))
      report.forbidden(path, 'only cpu and memory resources for init or sidecar containers are mutable');
    if (!isChanged || isRestartableInitContainer(container)) return mask;
    for (const { restartPolicy } of container.resizePolicy ?? []) {
      if (restartPolicy === 'RestartContainer') {
        const policy = 'non-sidecar init containers with a resize policy of RestartContainer cannot be resized';
        report.forbidden(path, policy);
      }
    }
    return mask;
  });
}
