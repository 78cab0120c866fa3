/** Where each point and rule stands in the engine's source. */
import type { SourceLocation } from '@podscope/protocol';

export interface PointSources {
  readonly points: Readonly<Record<string, readonly SourceLocation[]>>;
  readonly decisions: Readonly<Record<string, SourceLocation>>;
}
export const pointSources: PointSources = { points: {}, decisions: {} };
