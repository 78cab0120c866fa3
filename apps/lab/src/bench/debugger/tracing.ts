/** Measures the cost of a step without observers: the span, its two events, and the two calls of the gate. */

import { Debugger, type DebugHost } from '@podscope/debugger';
import { systemClock } from '@podscope/node';
import { background, EventLog, type Gate, type Point, Tracer } from '@podscope/trace';
import { median } from '../runtime/statistics.ts';

const point: Point = { id: 'bench.step', kind: 'function', title: 'Step' };

const emptyHost: DebugHost = {
  points: () => [point, { ...point, id: 'bench.other' }],
  pod: () => undefined,
  pods: () => [],
  failures: () => undefined,
  mask: (text) => text,
  resync: () => undefined,
  killContainer: () => Promise.reject(new Error('the benchmark has no containers')),
  exitContainer: () => Promise.resolve(undefined),
  skipBackOff: () => [],
  setBackOff: () => undefined,
};

/** Returns the microseconds per span with the given log and gate. */
async function perStep(log: EventLog | undefined, gate: Gate | undefined): Promise<number> {
  const rounds = 9;
  const steps = 20_000;
  const ctx = background(systemClock(), new Tracer(log, gate), 'bench');
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    for (let step = 0; step < steps; step++)
      await ctx.tracer.span(ctx, point, { container: 'app', attempt: step }, () => undefined);
    times.push(((performance.now() - start) * 1_000) / steps);
  }
  return median(times);
}

export interface TracingCost {
  /** The cost of the awaits alone: tracing without a log and with an open gate. */
  readonly bare: number;
  readonly logged: number;
  /** The cost with a log and the debugger as the gate, without breakpoints. */
  readonly idle: number;
  /** The cost as for `idle`, with a breakpoint at a point that the measured steps don't reach. */
  readonly elsewhere: number;
}

/** Returns the microseconds per step in four configurations. */
export async function measureTracing(): Promise<TracingCost> {
  const clock = systemClock();
  const withDebugger = (): { readonly log: EventLog; readonly debug: Debugger } => {
    const log = new EventLog(clock, 50_000);
    return { log, debug: new Debugger({ clock, log, host: emptyHost }) };
  };
  await perStep(new EventLog(clock, 50_000), undefined);
  const bare = await perStep(undefined, undefined);
  const logged = await perStep(new EventLog(clock, 50_000), undefined);
  const quiet = withDebugger();
  const idle = await perStep(quiet.log, quiet.debug);
  const set = withDebugger();
  set.debug.setBreakpoints('', [{ point: 'bench.other' }]);
  const elsewhere = await perStep(set.log, set.debug);
  return { bare, logged, idle, elsewhere };
}
