/** Describes the removal of what a pod left behind. */
import type { Context } from '@podscope/trace';

/** The removal of one leftover. */
export interface Cleanup {
  readonly what: string;
  readonly run: (ctx: Context) => void | Promise<void>;
}
