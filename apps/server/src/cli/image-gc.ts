/** Which images the server may delete, and when. */
import { defaultImageGCPolicy, type ImageGCPolicy } from '@podscope/kubelet';
import { UsageError } from './usage-error.ts';

/**
 * The policy that the options ask for; undefined: none are deleted.
 * @throws UsageError for thresholds that contradict each other
 */
export function imageGCPolicy(scope: string | undefined, highThresholdPercent: number, lowThresholdPercent: number): ImageGCPolicy | undefined {
  if (lowThresholdPercent >= highThresholdPercent) throw new UsageError('--image-gc-low-threshold must be below --image-gc-high-threshold');
  // 100 is the kubelet's way to say never.
  if ((scope !== 'pulled' && scope !== 'all') || highThresholdPercent === 100) return undefined;
  return { ...defaultImageGCPolicy, highThresholdPercent, lowThresholdPercent, scope };
}
