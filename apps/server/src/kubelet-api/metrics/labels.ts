/** Computes the labels of the kubelet's metrics. */

const [megabyte, gigabyte] = [1024 ** 2, 1024 ** 3];

const imageSizes: readonly (readonly [below: number, label: string])[] = [
  [10 * megabyte, '0-10MB'],
  [100 * megabyte, '10MB-100MB'],
  [500 * megabyte, '100MB-500MB'],
  [gigabyte, '500MB-1GB'],
  [5 * gigabyte, '1GB-5GB'],
  [10 * gigabyte, '5GB-10GB'],
  [20 * gigabyte, '10GB-20GB'],
  [30 * gigabyte, '20GB-30GB'],
  [40 * gigabyte, '30GB-40GB'],
  [60 * gigabyte, '40GB-60GB'],
  [100 * gigabyte, '60GB-100GB'],
];

/** Returns the label of an image size. Upstream: metrics.GetImageSizeBucket (v1.36). */
export const imageSizeBucket = (bytes: number): string =>
  bytes <= 0 ? 'N/A' : (imageSizes.find(([below]) => bytes < below)?.[1] ?? 'GT100GB');

const knownRejections: ReadonlySet<string> = new Set([
  'AppArmor',
  'PodOSSelectorNodeLabelDoesNotMatch',
  'PodOSNotSupported',
  'InvalidNodeInfo',
  'InitContainerRestartPolicyForbidden',
  'SupplementalGroupsPolicyNotSupported',
  'UnexpectedAdmissionError',
  'UnknownReason',
  'UnexpectedPredicateFailureType',
  'OutOfcpu',
  'OutOfmemory',
  'OutOfephemeral-storage',
  'OutOfpods',
  'SysctlForbidden',
  'TopologyAffinityError',
  'NodeShutdown',
  'Evicted',
  'PodLevelResourcesNotSupported',
  'PodFeatureUnsupported',
]);

/** Reasons of warnings that the sync loop emits and that aren't admission rejections. */
const noRejections: ReadonlySet<string> = new Set([
  'Preempting',
  'FailedValidation',
  'ExceededGracePeriod',
  'ResizeDeferred',
  'ResizeInfeasible',
]);

/**
 * Returns the label of an admission rejection, or undefined for any other warning. Upstream: recordAdmissionRejection
 * (v1.36).
 */
export function rejectionReason(reason: string): string | undefined {
  if (noRejections.has(reason)) return undefined;
  if (knownRejections.has(reason)) return reason;
  return reason.startsWith('OutOf') ? 'OutOfExtendedResources' : 'Other';
}
