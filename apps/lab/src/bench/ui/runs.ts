/** Creates the runs that the page opens: synthetic runs of a given size, and a run recorded on the simulated node. */
import { join } from 'node:path';
import { Simulation } from '@podscope/node/virtual';
import { instant, type TraceEvent } from '@podscope/trace';
import { crashLoop } from '@podscope/trace/testing';
import { saveTraceFile } from '../trace-file.ts';

export interface BenchRun {
  readonly path: string;
  readonly log: readonly TraceEvent[];
  readonly events: number;
  readonly spans: number;
  /** Time of the last event, at which the page's slider ends. */
  readonly end: number;
}

const isSpan = ({ type }: TraceEvent): boolean => type === 'spanStarted';

async function save(directory: string, name: string, events: readonly TraceEvent[]): Promise<BenchRun> {
  const path = join(directory, `${name}.podscope`);
  await saveTraceFile(path, events, name);
  return {
    path,
    log: events,
    events: events.length,
    spans: events.filter(isSpan).length,
    end: events.at(-1)?.time ?? 0,
  };
}

/** Returns the events of one crashing pod in a single timeline, cut after `count` events that `counts` accepts. */
export function storyOf(count: number, counts: (event: TraceEvent) => boolean = () => true): TraceEvent[] {
  for (let failures = 64; ; failures *= 2) {
    const { events } = crashLoop(failures);
    let left = count;
    const end = events.findIndex((event) => counts(event) && --left === 0);
    if (end >= 0) return events.slice(0, end + 1);
  }
}

/** Writes a file of one pod with the given number of spans. */
export const synthetic = (directory: string, spans: number): Promise<BenchRun> =>
  save(directory, `synthetic-${spans}`, storyOf(spans, isSpan));

/** Writes a file of one pod with the given number of events. */
export const syntheticEvents = (directory: string, events: number): Promise<BenchRun> =>
  save(directory, `events-${events}`, storyOf(events));

const manifest = (name: string): string => `apiVersion: v1
kind: Pod
metadata: { name: ${name} }
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - { name: app, image: 'busybox:1.36', command: [sh, -c, 'sleep 2; exit 1'] }
    - { name: web, image: nginx, readinessProbe: { httpGet: { port: 80 }, periodSeconds: 1 } }
`;

/** Records crashing pods on the simulated node until the run has the given number of spans. */
export async function recorded(directory: string, spans: number): Promise<BenchRun> {
  const simulation = new Simulation({ seed: 1, retainedEvents: spans * 8 });
  await simulation.start();
  for (let pod = 0; pod < 8; pod++) await simulation.nodeHost.commands.apply(manifest(`crash-${pod}`));
  const { clock, nodeHost } = simulation;
  let found = 0;
  let seen = 0;
  while (found < spans) {
    for (let turn = 0; turn < 200; turn++) await clock.fireNext(instant(Number.MAX_SAFE_INTEGER));
    for (const event of nodeHost.log.after(seen)) {
      seen = event.seq;
      if (isSpan(event)) found++;
    }
  }
  const events = nodeHost.log.after(0);
  await simulation.stop();
  return save(directory, 'recorded', [...events]);
}
