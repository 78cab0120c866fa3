/** Checks the invariants of an event log: it is gapless and ordered, and its spans are well formed. */
import type { EventLog, TraceEvent } from '@podscope/trace';

/** Returns the problems of a log that has ended; at most a few lines. */
export const problemsOfLog = (log: EventLog): readonly string[] =>
  problemsOfEvents(log.after(log.firstSeq - 1, Number.MAX_SAFE_INTEGER), log.firstSeq, log.lastSeq, true);

/**
 * Returns the problems of a run's events; at most a few lines.
 * @param ended whether all spans must be closed at the end; false for a run whose process was killed
 */
export function problemsOfEvents(
  events: Iterable<TraceEvent>,
  firstSeq: number,
  lastSeq: number,
  ended: boolean,
): readonly string[] {
  const problems: string[] = [];
  const open = new Map<number, string>();
  const seen = new Set<number>();
  let next = firstSeq;
  for (const event of events) {
    if (event.seq !== next) problems.push(`event ${next} is followed by ${event.seq}`);
    next = event.seq + 1;
    if (event.type === 'spanStarted') {
      if (seen.has(event.span)) problems.push(`span ${event.span} is opened twice`);
      seen.add(event.span);
      if (event.parent !== undefined && !open.has(event.parent))
        problems.push(`span ${event.span} (${event.point}) opens in ${event.parent}, which is not open`);
      open.set(event.span, event.point);
    } else if (event.type === 'spanEnded') {
      if (!open.delete(event.span)) problems.push(`span ${event.span} ends without being open`);
    }
  }
  if (next !== lastSeq + 1) problems.push(`the log ends with ${next - 1}, not with ${lastSeq}`);
  if (ended && open.size > 0)
    problems.push(`${open.size} spans stay open: ${[...new Set(open.values())].slice(0, 5).join(', ')}`);
  return problems.slice(0, 5);
}
