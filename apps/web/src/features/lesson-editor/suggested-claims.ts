/** Suggests claims for the options of a question: one per kind of event in a part of a run. */
import { type Claim, claimText, type EventPattern, type Run } from '@podscope/lessons';
import type { TraceEvent } from '@podscope/trace';

/** Returns the pattern that authors mean by an event; undefined for events that questions aren't about. */
function patternOf(event: TraceEvent): EventPattern | undefined {
  const { type } = event;
  switch (type) {
    case 'kubernetesEvent':
      return { type, reason: event.reason };
    case 'runtimeStateChanged':
      return {
        type,
        object: event.object,
        name: event.name,
        attempt: event.attempt,
        to: event.to,
        ...(event.exitCode === undefined ? {} : { exitCode: event.exitCode }),
      };
    case 'backOff':
      return { type, kind: event.kind, seconds: event.seconds };
    case 'syncResult':
      return { type, action: event.action, ...(event.error === undefined ? {} : { error: event.error }) };
    case 'spanStarted':
      return event.kind === 'cri' || event.kind === 'step' ? { type, point: event.point } : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns the claims that events of the run between two seconds suggest, as YAML, each once and in the order of the
 * run.
 */
export function suggestedClaims({ begin, events }: Run, from: number, until: number): readonly string[] {
  const texts = events.flatMap((event) => {
    const seconds = (event.time - begin) / 1_000;
    if (seconds <= from || seconds > until) return [];
    const happens = patternOf(event);
    return happens ? [claimText({ happens } satisfies Claim)] : [];
  });
  return [...new Set(texts)];
}
