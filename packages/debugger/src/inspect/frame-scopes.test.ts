import {
  background,
  type Context,
  EventLog,
  type Point,
  type SpanContext,
  Tracer,
  VirtualClock,
  withThread,
} from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { ThreadStop } from '../gate/threads.ts';
import { frameScopes, startOf } from './frame-scopes.ts';

const call: Point = { id: 'cri.RunPodSandbox', kind: 'cri', title: 'RunPodSandbox', description: 'A call.' };
const request: Point = {
  id: 'docker.containerCreate',
  kind: 'docker',
  title: 'POST /containers/create',
  description: 'A request.',
};

/**
 * Stops a thread in a call that evaluated a rule and called Docker. Before the stop, other threads emit `others`
 * events; after the stop they emit more.
 */
async function stoppedCall(others: number, retained?: number) {
  const clock = new VirtualClock();
  const log = new EventLog(clock, retained);
  const tracer = new Tracer(log);
  const pod: Context = withThread(background(clock, tracer), 'pod');
  const busy: Context = withThread(background(clock, tracer), 'other');
  const emit = (count: number): void => {
    for (let index = 0; index < count; index++) tracer.emit(busy, { type: 'output', level: 'info', message: 'x' });
  };
  const ask = (ctx: SpanContext, path: string): Promise<void> =>
    tracer.span(ctx, request, { path }, ({ span }) => span.set({ response: { path } }));
  emit(10);
  return tracer.span(pod, call, { request: {} }, async (ctx) => {
    tracer.decide(ctx, 'sandbox.reuse', { found: 0 }, 'create');
    await ask(ctx, '/create');
    emit(others);
    const stop = new ThreadStop(
      7,
      { ctx, span: ctx.span, phase: 'before', result: undefined },
      { reason: 'pause', text: '', breakpoints: [] },
      clock.now(),
      undefined,
    );
    tracer.emit(ctx, {
      type: 'stopped',
      reason: 'pause',
      point: call.id,
      phase: 'before',
      text: '',
      breakpoints: [],
      stop: stop.number,
    });
    await ask(ctx, '/after-the-stop');
    emit(others);
    return {
      start: startOf(ctx.span, log),
      scopes: new Map([...frameScopes(stop, ctx.span, log)].map(({ name, value }) => [name, value])),
    };
  });
}

describe('the scopes of a frame from the log', () => {
  it('include the events between the start of the frame and its stop, regardless of other threads', async () => {
    const { start, scopes } = await stoppedCall(6_000);
    expect(start).toBe(11);
    expect(scopes.get('Decisions')).toEqual([
      { rule: 'sandbox.reuse', outcome: 'create', decisive: true, facts: { found: 0 } },
    ]);
    expect(scopes.get('Docker requests')).toEqual([
      { request: { call: request.title, path: '/create' }, response: { path: '/create' }, error: undefined },
    ]);
    expect(scopes.has('Log')).toBe(false);
  });

  it('are marked incomplete if the log in memory begins after the frame', async () => {
    const { start, scopes } = await stoppedCall(6_000, 4_000);
    expect(start).toBeUndefined();
    expect(scopes.has('Decisions')).toBe(false);
    expect(scopes.get('Log')).toEqual({
      note: expect.stringMatching(/^This frame began before event \d+, the oldest in memory: /),
    });
  });
});
