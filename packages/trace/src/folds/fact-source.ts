/** Returns the source of facts about a genuine kubelet. */
import type { FactSource } from './tracks.ts';

/** Returns only the source of an event or record. The result is empty for Podscope's own kubelet. */
export const sourceOf = ({ source, inferred }: FactSource): FactSource =>
  source === undefined ? {} : { source, inferred: inferred === true };
