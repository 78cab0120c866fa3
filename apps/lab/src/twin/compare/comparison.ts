/** Defines the input and output of each part of the comparison between a run and its recording. */
import type { Recording } from '../recording.ts';
import type { ReplayObservations } from '../run/replay-observations.ts';
import type { Normalize } from './normalize.ts';
import type { ReferenceContainer } from './reference.ts';

export interface Comparison {
  readonly recording: Recording;
  readonly seen: ReplayObservations;
  readonly normalize: Normalize;
  /** A container created with nothing but an image, which shows the engine's own defaults. */
  readonly reference: ReferenceContainer;
  /** True if other work slows down the machine, so that late starts count as equal. */
  readonly isBusy?: boolean;
}

/** One part of the comparison. Returns the differences, the most important ones first. */
export type Compare = (comparison: Comparison) => readonly string[] | Promise<readonly string[]>;
