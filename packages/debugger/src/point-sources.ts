/** Where points and rules stand in the engine's source. */
import type { SourceLocation } from '@podscope/protocol';

export interface PointSources {
  /** By point id; a call that is made in several places has several. */
  readonly points: Readonly<Record<string, readonly SourceLocation[]>>;
  /** By rule; `*` stands for a part that is only known when it is weighed. */
  readonly decisions: Readonly<Record<string, SourceLocation>>;
}
