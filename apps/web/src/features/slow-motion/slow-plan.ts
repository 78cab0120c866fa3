/** Plans the slow motion of one sync: one frame per step and CRI call, each with its display time. */
import type { SyncRecord, TraceEvent } from '@podscope/trace';

/** Factor by which the sync is slowed down: the number of seconds for which one second of the sync is shown. */
export const slowFactor = 60;
/** Minimum display time of a caption, in milliseconds. It is necessary because most steps take almost no time. */
export const leastHold = 2_500;

/** The kinds of spans that have a caption. */
const captioned: ReadonlySet<string> = new Set(['kubeletStep', 'syncStep', 'cri']);

export interface SlowFrame {
  /** Sequence number of the last event that is applied to the shown state. */
  readonly seq: number;
  /** Display time of the frame, in milliseconds. */
  readonly hold: number;
  /** Milliseconds since the start of the sync. */
  readonly at: number;
  /** The step that begins; undefined for the end of the sync. */
  readonly step: { readonly span: number; readonly point: string; readonly title: string } | undefined;
}

/**
 * Returns the frames of a sync, in order; the last one is its end.
 * @param events the events of the run
 */
export function slowFrames(sync: SyncRecord, events: readonly TraceEvent[]): SlowFrame[] {
  const first = events.findIndex((event) => event.type === 'spanStarted' && event.span === sync.span);
  const begin = events[first];
  if (!begin) return [];
  const last = events.findIndex((event) => event.type === 'spanEnded' && event.span === sync.span);
  const inSync = events.slice(first, last < 0 ? undefined : last + 1).filter(({ thread }) => thread === begin.thread);
  const marks = inSync.flatMap((event, index) => {
    const isEnd = index === inSync.length - 1;
    if (!isEnd && (event.type !== 'spanStarted' || !captioned.has(event.kind))) return [];
    const step =
      event.type === 'spanStarted' ? { span: event.span, point: event.point, title: event.title } : undefined;
    return [{ seq: event.seq, time: event.time, step }];
  });
  return marks.map(({ seq, time, step }, index) => ({
    seq,
    step,
    at: time - begin.time,
    hold: Math.max(leastHold, ((marks[index + 1]?.time ?? time) - time) * slowFactor),
  }));
}
