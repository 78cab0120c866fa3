/** Converts the durations of fault actions. */
import { parseGoDuration } from '@podscope/base';
import type { Milliseconds } from '@podscope/trace';

/**
 * Returns the milliseconds of a Go duration such as `1m30s`, or a number unchanged. The protocol's schema has already
 * rejected any other text.
 */
export const toMilliseconds = (duration: number | string): Milliseconds =>
  typeof duration === 'number' ? duration : (parseGoDuration(duration) ?? 0);
