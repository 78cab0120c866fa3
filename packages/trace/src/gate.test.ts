import { describe, expect, it } from 'vitest';
import { background, EventLog, type Gate, openGate, type Point, Tracer, VirtualClock } from './index.ts';

const point: Point = { id: 'test.point', kind: 'function', title: 'point' };

function traced(gate: Partial<Gate>): { readonly ctx: ReturnType<typeof background>; readonly log: EventLog } {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  return { log, ctx: background(clock, new Tracer(log, { ...openGate, ...gate })) };
}

describe('a gate', () => {
  it('replaces the result of the body without running it', async () => {
    let ran = false;
    const { ctx } = traced({ before: () => Promise.resolve({ outcome: 'ok', value: 'instead' }) });
    expect(await ctx.tracer.span(ctx, point, {}, () => (ran = true))).toBe('instead');
    expect(ran).toBe(false);
  });

  it('replaces the result after the body has run', async () => {
    const { ctx, log } = traced({ after: () => Promise.resolve({ outcome: 'error', error: new Error('lost') }) });
    await expect(ctx.tracer.span(ctx, point, {}, () => 'answer')).rejects.toThrow('lost');
    expect(log.after(1)[0]).toMatchObject({ type: 'spanEnded', outcome: 'error', error: { message: 'lost' } });
  });

  it('provides a value for the body to use', async () => {
    const { ctx } = traced({
      before: (_ctx, span) => {
        span.replace('given');
        return undefined;
      },
    });
    expect(await ctx.tracer.span(ctx, point, {}, (inner) => inner.span.replacement)).toBe('given');
  });

  it('sees the exposed values of the current span and its parents', async () => {
    const seen: unknown[] = [];
    const { ctx } = traced({
      before: (_ctx, span) =>
        void seen.push(Object.keys(span.exposures ?? {}), span.parent?.values, span.context.thread),
    });
    await ctx.tracer.span(ctx, point, { outer: 1 }, (inner) => inner.tracer.span(inner, point, {}, () => undefined), {
      value: () => 1,
    });
    expect(seen).toEqual([['value'], undefined, 'main', [], { outer: 1 }, 'main']);
  });

  it('receives decisions even if no sink records events', () => {
    const rules: string[] = [];
    const tracer = new Tracer(undefined, {
      ...openGate,
      decided: (_ctx, rule, facts) => void rules.push(`${rule} ${JSON.stringify(facts)}`),
    });
    const ctx = background(new VirtualClock(), tracer);
    tracer.decide(ctx, 'rule', () => ({ fact: 1 }), 'yes');
    expect(rules).toEqual(['rule {"fact":1}']);
  });

  it('receives messages as spans where it watches, and sets the number of deliveries', async () => {
    const delivered: string[] = [];
    const { ctx, log } = traced({
      watches: (_ctx, { id }) => id === 'test.watched',
      before: (_ctx, span) => {
        span.replace({ copies: 3 });
        return undefined;
      },
    });
    expect(ctx.tracer.handOver(ctx, point, {}, () => delivered.push('unwatched'))).toBeUndefined();
    expect(log.lastSeq).toBe(0);
    await ctx.tracer.handOver(ctx, { ...point, id: 'test.watched' }, { event: 'x' }, () => delivered.push('watched'));
    expect(delivered).toEqual(['unwatched', 'watched', 'watched', 'watched']);
    expect(log.after(0).map(({ type }) => type)).toEqual(['spanStarted', 'spanEnded']);
  });
});

describe('a tick', () => {
  const types = (log: EventLog): string[] =>
    log.after(0).map((event) => (event.type === 'decision' ? event.rule : `${event.type} ${event.span}`));

  it('emits nothing and uses no number if nothing happens in it', async () => {
    const { ctx, log } = traced({});
    expect(await ctx.tracer.tick(ctx, point, {}, () => 'nothing')).toBe('nothing');
    await ctx.tracer.span(ctx, point, {}, () => undefined);
    expect(types(log)).toEqual(['spanStarted 1', 'spanEnded 1']);
  });

  it('begins before the first nested event at any depth', async () => {
    const { ctx, log } = traced({});
    await ctx.tracer.tick(ctx, point, { outer: true }, (outer) =>
      outer.tracer.tick(outer, point, {}, (inner) =>
        inner.tracer.span(inner, point, {}, (deep) => deep.tracer.decide(deep, 'rule', {}, 'yes')),
      ),
    );
    expect(types(log)).toEqual([
      'spanStarted 1',
      'spanStarted 2',
      'spanStarted 3',
      'rule',
      'spanEnded 3',
      'spanEnded 2',
      'spanEnded 1',
    ]);
    expect(log.after(0).flatMap((event) => (event.type === 'spanStarted' ? [event.parent] : []))).toEqual([
      undefined,
      1,
      2,
    ]);
  });

  it('is recorded if it fails or if the gate watches it', async () => {
    const { ctx, log } = traced({});
    await expect(ctx.tracer.tick(ctx, point, {}, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(log.after(1)[0]).toMatchObject({ type: 'spanEnded', outcome: 'error', error: { message: 'no' } });
    const watched = traced({ watches: () => true });
    await watched.ctx.tracer.tick(watched.ctx, point, {}, () => undefined);
    expect(types(watched.log)).toEqual(['spanStarted 1', 'spanEnded 1']);
  });

  it('begins and ends immediately when later work refers to it', async () => {
    const { ctx, log } = traced({});
    const left = await ctx.tracer.tick(ctx, point, {}, (inner) => [inner]);
    for (const inner of left) for (const rule of ['a', 'b']) inner.tracer.decide(inner, rule, {}, 'yes');
    expect(types(log)).toEqual(['spanStarted 1', 'spanEnded 1', 'a', 'b']);
  });
});

describe('atOnce', () => {
  it('completes synchronously, and stops only where the gate watches', async () => {
    const done: string[] = [];
    const { ctx, log } = traced({ watches: (_ctx, { id }) => id === 'test.watched' });
    expect(ctx.tracer.atOnce(ctx, point, {}, ({ span }) => void done.push(`span ${span.id}`))).toBeUndefined();
    expect(done).toEqual(['span 1']);
    expect(() => ctx.tracer.atOnce(ctx, point, {}, () => JSON.parse('no'))).toThrow('JSON');
    expect(log.after(2)[1]).toMatchObject({ type: 'spanEnded', outcome: 'error' });
    await ctx.tracer.atOnce(ctx, { ...point, id: 'test.watched' }, {}, () => void done.push('watched'));
    expect(done).toEqual(['span 1', 'watched']);
  });
});
