/**
 * Checks whether an action can have an effect at its place. The check runs when a fault is set or an intervention is
 * requested.
 */
import type { FaultSpec } from '@podscope/protocol';
import type { Point } from '@podscope/trace';

/** The point through which PLEG events pass. */
const plegEventPoint = 'kubelet.plegEvent';
const backOffPoint = 'kuberuntime.doBackOff';

/** Returns the reason why an action can never have an effect at these points, or undefined. */
export function misplacedAction(
  {
    drop,
    duplicate,
    answer,
    fail,
    cut,
    skipWait,
  }: Pick<FaultSpec, 'drop' | 'duplicate' | 'answer' | 'fail' | 'cut' | 'skipWait'>,
  phase: 'before' | 'after',
  points: readonly Point[],
): string | undefined {
  const areAll = (id: string): boolean => points.every((point) => point.id === id);
  if ((drop || duplicate !== undefined) && !areAll(plegEventPoint))
    return `only PLEG events (at: ${plegEventPoint}) can be dropped or duplicated`;
  if ((drop || duplicate !== undefined) && phase === 'after')
    return 'a PLEG event that was delivered cannot be dropped or duplicated any more: omit `when`';
  if (fail && areAll(plegEventPoint))
    return "a PLEG event isn't a call and can't fail: drop it, duplicate it, delay it or let it hang";
  if (cut !== undefined && !points.every(({ kind }) => kind === 'cri'))
    return 'only a CRI call (at: cri.…) has a stream to cut';
  if (cut !== undefined && phase === 'after') return 'the stream is over already: cut it before, not after';
  if (answer && !points.every(({ kind }) => kind === 'probe' || kind === 'hook'))
    return 'only probes (kubelet.probe) and hooks (lifecycle.*) can be answered';
  if (answer && phase === 'after') return 'an answer replaces the work: give it before, not after';
  if (skipWait && !areAll(backOffPoint)) return `only at ${backOffPoint} is there a wait to skip`;
  if (skipWait && phase === 'after') return 'by then the wait has been decided: skip it before, not after';
  return undefined;
}
