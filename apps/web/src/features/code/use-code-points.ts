/** Maps source lines to points and rules. They come from the node or, for a recording, from the engine in this page. */
import type { SourceLocation } from '@podscope/protocol';
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { usePoints } from '../../node/debugger/use-debug.ts';
import { useNodeInfo } from '../../node/run/use-run.ts';

export interface CodePoint {
  /** Id of a point or a rule. */
  readonly id: string;
  readonly source: SourceLocation;
  readonly upstream: string | undefined;
  /** False for rules, which aren't spans. */
  readonly isPoint: boolean;
}

/** Returns all points and rules with their source locations, in no particular order. */
export function useCodePoints(): readonly CodePoint[] {
  const points = usePoints();
  const node = useNodeInfo();
  const known = useQuery({
    queryKey: ['knownSources', node?.profile],
    queryFn: async () => {
      const { pointSources, sourcesOf } = await import('@podscope/debugger/point-sources');
      return sourcesOf(pointSources, node?.profile ?? '');
    },
    enabled: points === undefined && node?.readOnly === true,
    staleTime: Number.POSITIVE_INFINITY,
  }).data;
  return useMemo(() => {
    if (points) {
      const rules = points.decisions.flatMap(({ rule, source }) =>
        source ? [{ id: rule, source, upstream: undefined, isPoint: false }] : [],
      );
      return [
        ...points.points.flatMap(({ id, source, upstream }) =>
          source ? [{ id, source, upstream, isPoint: true }] : [],
        ),
        ...rules,
      ];
    }
    if (!known) return [];
    const places = Object.entries(known.points).flatMap(([id, [source]]) =>
      source ? [{ id, source, upstream: undefined, isPoint: true }] : [],
    );
    return [
      ...places,
      ...Object.entries(known.decisions).map(([id, source]) => ({ id, source, upstream: undefined, isPoint: false })),
    ];
  }, [points, known]);
}
