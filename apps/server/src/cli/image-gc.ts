/** Parses the options of image garbage collection. */

import { UsageError } from '@podscope/command-line';
import { defaultImageGCPolicy, type ImageGCPolicy } from '@podscope/kubelet';

/**
 * Returns the policy; undefined if images are never deleted.
 * @throws UsageError for contradicting thresholds
 */
export function imageGCPolicy(
  scope: string | undefined,
  highThresholdPercent: number,
  lowThresholdPercent: number,
): ImageGCPolicy | undefined {
  if (lowThresholdPercent >= highThresholdPercent)
    throw new UsageError('--image-gc-low-threshold must be below --image-gc-high-threshold');
  // As in the kubelet, a threshold of 100 disables garbage collection.
  if ((scope !== 'pulled' && scope !== 'all') || highThresholdPercent === 100) return undefined;
  return { ...defaultImageGCPolicy, highThresholdPercent, lowThresholdPercent, scope };
}
