/** The line that the stop, or else the selected span, stands for. */
import type { SourceLocation } from '@podscope/protocol';
import type { SpanRecord } from '@podscope/trace';
import { useMemo } from 'react';
import { useStop } from '../debug/use-debug.ts';
import { useSession } from '../run/node-session.ts';
import { useSelectedPod } from '../state/use-selected-pod.ts';
import { spanOf, useView } from '../state/view-store.ts';
import type { CodePoint } from './use-code-points.ts';

export interface CurrentLine {
  readonly source: SourceLocation | undefined;
  readonly isStopped: boolean;
  /** The kubelet's own function. */
  readonly upstream: string | undefined;
}

export function useCurrentLine(points: readonly CodePoint[]): CurrentLine {
  const { run } = useSession();
  const { pod } = useSelectedPod();
  const stop = useStop(pod?.uid);
  const selected = useView((view) => spanOf(view.selected));
  const byId = useMemo(() => new Map(points.filter(({ isPoint }) => isPoint).map((point) => [point.id, point])), [points]);
  const span = run.span(selected);
  if (stop && (span === undefined || span.id === stop.span)) {
    const point = byId.get(stop.point);
    return { source: stop.source ?? point?.source, isStopped: true, upstream: point?.upstream };
  }
  // A call that has no line of its own belongs to the one around it.
  for (let at: SpanRecord | undefined = span; at; at = run.span(at.parent)) {
    const point = byId.get(at.point);
    if (point) return { source: point.source, isStopped: false, upstream: point.upstream };
  }
  return { source: undefined, isStopped: false, upstream: undefined };
}
