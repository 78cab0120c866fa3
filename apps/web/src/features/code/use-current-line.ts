/** Returns the line at which the thread is stopped, or else the line of the selected span. */
import type { SourceLocation } from '@podscope/protocol';
import type { SpanRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { spanOf, useView } from '../../node/address/view-store.ts';
import { useStop } from '../../node/debugger/use-debug.ts';
import { useSession } from '../../node/run/node-session.ts';
import { useSelectedPod } from '../../node/run/use-selected-pod.ts';
import type { CodePoint } from './use-code-points.ts';

export interface CurrentLine {
  readonly source: SourceLocation | undefined;
  readonly isStopped: boolean;
  /** The upstream function. */
  readonly upstream: string | undefined;
}

export function useCurrentLine(points: readonly CodePoint[]): CurrentLine {
  const { run } = useSession();
  const { pod } = useSelectedPod();
  const stop = useStop(pod?.uid);
  const selected = useView((view) => spanOf(view.selected));
  const byId = useMemo(
    () => new Map(points.filter(({ isPoint }) => isPoint).map((point) => [point.id, point])),
    [points],
  );
  const span = run.span(selected);
  if (stop && (span === undefined || span.id === stop.span)) {
    const point = byId.get(stop.point);
    return { source: stop.source ?? point?.source, isStopped: true, upstream: point?.upstream };
  }
  // For a span without a line, use the line of its parent.
  for (let at: SpanRecord | undefined = span; at; at = run.span(at.parent)) {
    const point = byId.get(at.point);
    if (point) return { source: point.source, isStopped: false, upstream: point.upstream };
  }
  return { source: undefined, isStopped: false, upstream: undefined };
}
