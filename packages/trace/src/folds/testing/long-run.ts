/** Generates a long run for measurements, in which many pods crash repeatedly, one after another. */
import type { TraceEvent } from '../../events/event.ts';
import { crashLoop, crashLoopPod } from './stories.ts';

/** Fields that the fold ignores. They give the events a realistic size. */
const padding = {
  labels: { 'io.kubernetes.pod.name': 'web', 'io.kubernetes.pod.namespace': 'default' },
  annotations: { note: 'x'.repeat(400) },
};

/** Returns exactly `count` events of several pods, numbered from 1. */
export function longRun(count: number, failuresPerPod = 40): TraceEvent[] {
  const { events: story } = crashLoop(failuresPerPod);
  const spans = story.reduce((most, event) => Math.max(most, event.type === 'spanStarted' ? event.span : 0), 0);
  const length = (story.at(-1)?.time ?? 0) - (story[0]?.time ?? 0);
  const events: TraceEvent[] = [];
  for (let round = 0; events.length < count; round++) {
    const uid = `${crashLoopPod.metadata.uid.slice(0, -6)}${String(round).padStart(6, '0')}`;
    for (const reported of story) {
      if (events.length === count) break;
      // Ids of pods and containers occur inside many texts, so they are replaced in the JSON. The ids of spans are
      // numbers.
      const event = JSON.parse(
        JSON.stringify(reported)
          .replaceAll(crashLoopPod.metadata.uid, uid)
          .replaceAll(/"((?:app|proxy|migrate)-\d+|f00d)"/g, `"$1-${round}"`),
      ) as TraceEvent;
      event.seq = events.length + 1;
      event.time += round * length;
      if (event.span !== undefined) event.span += round * spans;
      if (event.type === 'spanStarted') {
        if (event.parent !== undefined) event.parent += round * spans;
        if (event.kind === 'cri') event.attributes = { ...event.attributes, ...padding };
      }
      events.push(event);
    }
  }
  return events;
}
