/**
 * Records attempts of probes. Each attempt is a span of a probe worker, which runs at the same time as the pod worker.
 */
import type { TraceEventOf } from '../../events/event.ts';
import { textAt } from '../attribute-values.ts';
import { sourceOf } from '../fact-source.ts';
import type { MutablePod, MutableSpan } from '../state/mutable-tracks.ts';
import type { ProbeRecord } from '../tracks.ts';

const types: readonly ProbeRecord['type'][] = ['startup', 'readiness', 'liveness'];
const results: readonly ProbeRecord['result'][] = ['success', 'warning', 'failure'];

/** Adds an attempt that has begun. */
export function beginProbe(pod: MutablePod, span: MutableSpan): void {
  const type = types.find((each) => each === textAt(span.attributes, 'type'));
  const container = textAt(span.attributes, 'container');
  if (!type || !container) return;
  pod.probes.push({
    span: span.id,
    type,
    container,
    start: span.start,
    end: undefined,
    result: undefined,
    output: '',
    injected: false,
    ...sourceOf(span),
  });
}

/**
 * Returns the result of an attempt. If the prober reported no result, the attempt failed to run, was missed because the
 * pod was stopped, or was canceled.
 */
function resultOf({ outcome, error, attributes }: TraceEventOf<'spanEnded'>): NonNullable<ProbeRecord['result']> {
  const reported = results.find((each) => each === textAt(attributes, 'result'));
  if (reported) return reported;
  if (error?.reason === 'ProbeMissed') return 'missed';
  return outcome === 'canceled' ? 'canceled' : 'error';
}

/** Closes an attempt that has ended. */
export function endProbe(pod: MutablePod, span: MutableSpan, event: TraceEventOf<'spanEnded'>): void {
  // Only few probes run at a time, so the attempt is one of the last.
  const probe = pod.probes.findLast((candidate) => candidate.span === span.id);
  if (!probe) return;
  probe.end = event.time;
  const isMissed = span.interventions.some(({ action }) => action === 'missProbe');
  probe.result = isMissed ? 'missed' : resultOf(event);
  probe.injected = !isMissed && span.interventions.length > 0;
  probe.output = textAt(event.attributes, 'output') ?? event.error?.message ?? '';
}
