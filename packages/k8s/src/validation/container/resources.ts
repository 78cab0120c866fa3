/** Validates requests and limits. Upstream: pkg/apis/core/validation (v1.36). */

import { isOvercommitAllowed } from '../../defaults/resources.ts';
import {
  compareQuantities,
  formatQuantity,
  parseQuantity,
  type Quantity,
  zeroQuantity,
} from '../../resources/quantity.ts';
import {
  aggregateContainers,
  isHugePageResource,
  isNativeResource,
  isSupportedPodLevelResource,
  parseResourceList,
} from '../../resources/resources.ts';
import type { Pod, ResourceList, ResourceRequirements } from '../../types.ts';
import type { Report } from '../report.ts';
import { isQualifiedName } from '../syntax.ts';

const containerResources = ['cpu', 'memory', 'ephemeral-storage'];
/** The known names of resources without a domain. */
const standardResources = new Set([
  ...containerResources,
  'storage',
  'pods',
  'services',
  'replicationcontrollers',
  'resourcequotas',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'services.nodeports',
  'services.loadbalancers',
]);

/** Validates the resources of a container. Upstream: ValidateResourceRequirements (core/validation, v1.36). */
export function validateResourceRequirements(
  resources: ResourceRequirements | undefined,
  path: string,
  report: Report,
): void {
  if (!resources) return;
  const limits = parseResourceList(resources.limits);
  const requests = parseResourceList(resources.requests);
  for (const [name, quantity] of limits) validateResource(name, quantity, `${path}.limits[${name}]`, report);
  for (const [name, quantity] of requests) {
    validateResource(name, quantity, `${path}.requests[${name}]`, report);
    validateAgainstLimit(name, quantity, limits.get(name), path, report);
  }
  const names = [...limits.keys(), ...requests.keys()];
  if (names.some(isHugePageResource) && !names.includes('cpu') && !names.includes('memory')) {
    report.forbidden(path, 'HugePages require cpu or memory');
  }
}

function validateAgainstLimit(
  name: string,
  request: Quantity,
  limit: Quantity | undefined,
  path: string,
  report: Report,
): void {
  if (!limit) {
    if (!isOvercommitAllowed(name))
      report.required(`${path}.limits`, 'Limit must be set for non overcommitable resources');
    return;
  }
  const order = compareQuantities(request, limit);
  if (order !== 0 && !isOvercommitAllowed(name)) {
    report.invalid(
      `${path}.requests`,
      formatQuantity(request),
      `must be equal to ${name} limit of ${formatQuantity(limit)}`,
    );
  } else if (order > 0) {
    report.invalid(
      `${path}.requests`,
      formatQuantity(request),
      `must be less than or equal to ${name} limit of ${formatQuantity(limit)}`,
    );
  }
}

function validateResource(name: string, quantity: Quantity, path: string, report: Report): void {
  report.invalidEach(path, name, isQualifiedName(name));
  if (!name.includes('/')) {
    if (!standardResources.has(name) && !isHugePageResource(name))
      report.invalid(path, name, 'must be a standard resource type or fully qualified');
    if (!containerResources.includes(name) && !isHugePageResource(name))
      report.invalid(path, name, 'must be a standard resource for containers');
  } else if (!isNativeResource(name) && name.startsWith('requests.')) {
    report.invalid(path, name, "doesn't follow extended resource name standard");
  }
  validateQuantity(name, quantity, path, report);
}

/** Validates the quantity of a resource. Upstream: ValidateResourceQuantityValue (core/validation, v1.36). */
function validateQuantity(name: string, quantity: Quantity, path: string, report: Report): void {
  if (compareQuantities(quantity, zeroQuantity) < 0)
    report.invalid(path, formatQuantity(quantity), 'must be greater than or equal to 0');
  if (!isNativeResource(name) && quantity.nanos % 1_000_000_000n !== 0n)
    report.invalid(path, formatQuantity(quantity), 'must be an integer');
  if (isHugePageResource(name)) validateHugePages(name, quantity, path, report);
}

function validateHugePages(name: string, quantity: Quantity, path: string, report: Report): void {
  const size = readQuantity(name.slice('hugepages-'.length));
  if (size && size.nanos > 0n && quantity.nanos % size.nanos === 0n) return;
  report.invalid(
    path,
    formatQuantity(quantity),
    `${formatQuantity(quantity)} is not positive integer multiple of ${name}`,
  );
}

function readQuantity(text: string): Quantity | undefined {
  try {
    return parseQuantity(text);
  } catch {
    return undefined;
  }
}

/** Validates overhead according to the rules for limits. Upstream: validateOverhead (core/validation, v1.36). */
export function validateOverhead(overhead: ResourceList | undefined, report: Report, field = 'spec.overhead'): void {
  for (const [name, quantity] of parseResourceList(overhead))
    validateResource(name, quantity, `${field}[${name}]`, report);
}

/** Validates pod-level resources. Upstream: validatePodResourceRequirements (core/validation, v1.36). */
export function validatePodLevelResources(pod: Pod, report: Report): void {
  const { resources } = pod.spec;
  if (!resources) return;
  if (resources.claims?.length)
    report.forbidden('spec.resources.claims', 'claims may not be set for Resources at pod-level');
  for (const side of ['limits', 'requests'] as const) {
    for (const name of Object.keys(resources[side] ?? {})) {
      if (!isSupportedPodLevelResource(name))
        report.notSupported(`spec.resources.${side}[${name}]`, name, ['cpu', 'hugepages-', 'memory']);
    }
  }
  validateResourceRequirements(resources, 'spec.resources', report);
  const containerRequests = aggregateContainers(pod, 'requests');
  for (const [name, quantity] of parseResourceList(resources.requests)) {
    const needed = containerRequests.get(name);
    if (needed && compareQuantities(needed, quantity) > 0) {
      const detail = `must be greater than or equal to aggregate container requests of ${formatQuantity(needed)}`;
      report.invalid(`spec.resources.requests[${name}]`, formatQuantity(quantity), detail);
    }
  }
  validateContainersWithinPodLimits(pod, report);
}

function validateContainersWithinPodLimits(pod: Pod, report: Report): void {
  const podLimits = parseResourceList(pod.spec.resources?.limits);
  for (const kind of ['containers', 'initContainers'] as const) {
    for (const [index, container] of (pod.spec[kind] ?? []).entries()) {
      for (const [name, limit] of parseResourceList(container.resources?.limits)) {
        const podLimit = podLimits.get(name);
        if (podLimit && compareQuantities(limit, podLimit) > 0) {
          const detail = `must be less than or equal to pod limits of ${formatQuantity(podLimit)}`;
          report.invalid(`spec.${kind}[${index}].resources.limits[${name}]`, formatQuantity(limit), detail);
        }
      }
    }
  }
}
