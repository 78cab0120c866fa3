/** A breakpoint in words. */
import type { BreakpointSpec, PointInfo } from '@podscope/protocol';

/** Where it is, and what narrows it. */
export function describeBreakpoint(spec: BreakpointSpec, points: readonly PointInfo[]): { readonly place: string; readonly details: string } {
  const { point, kind, decision, source, when = 'before' } = spec;
  const name =
    point !== undefined
      ? (points.find(({ id }) => id === point)?.title ?? point)
      : kind !== undefined
        ? `every ${kind}`
        : decision !== undefined
          ? `decision ${decision}`
          : source
            ? `${source.path.split('/').at(-1)}:${source.line}`
            : '';
  const target = [
    spec.namespace && `namespace ${spec.namespace}`,
    spec.pod && `pod ${spec.pod}`,
    spec.container && `container ${spec.container}`,
    spec.containerType && `${spec.containerType} containers`,
  ];
  const details = [
    ...target,
    spec.condition && `if ${spec.condition}`,
    spec.hitCondition && `hits ${spec.hitCondition}`,
    spec.logMessage !== undefined && `logs “${spec.logMessage}”`,
    spec.oneShot && 'once',
  ].filter((part): part is string => typeof part === 'string' && part !== '');
  return { place: when === 'error' ? `on error in ${name}` : `${when} ${name}`, details: details.join(' · ') };
}
