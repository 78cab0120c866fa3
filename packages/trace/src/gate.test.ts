import { describe, expect, it } from 'vitest';
import { background, EventLog, type Gate, openGate, type Point, Tracer, VirtualClock } from './index.ts';

const point: Point = { id: 'test.point', kind: 'function', title: 'point' };

function traced(gate: Partial<Gate>): { readonly ctx: ReturnType<typeof background>; readonly log: EventLog } {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  return { log, ctx: background(clock, new Tracer(log, { ...openGate, ...gate })) };
}

describe('a gate', () => {
  it('stands in for the body with a result of its own', async () => {
    let ran = false;
    const { ctx } = traced({ before: () => Promise.resolve({ outcome: 'ok', value: 'instead' }) });
    expect(await ctx.tracer.span(ctx, point, {}, () => (ran = true))).toBe('instead');
    expect(ran).toBe(false);
  });

  it('takes the answer of a call that was made', async () => {
    const { ctx, log } = traced({ after: () => Promise.resolve({ outcome: 'error', error: new Error('lost') }) });
    await expect(ctx.tracer.span(ctx, point, {}, () => 'answer')).rejects.toThrow('lost');
    expect(log.after(1)[0]).toMatchObject({ type: 'spanEnded', outcome: 'error', error: { message: 'lost' } });
  });

  it('gives a body something to go on with', async () => {
    const { ctx } = traced({
      before: (_ctx, span) => {
        span.replace('given');
        return undefined;
      },
    });
    expect(await ctx.tracer.span(ctx, point, {}, (inner) => inner.span.replacement)).toBe('given');
  });

  it('sees what is exposed, around what it stands at', async () => {
    const seen: unknown[] = [];
    const { ctx } = traced({ before: (_ctx, span) => void seen.push(Object.keys(span.exposures ?? {}), span.parent?.values, span.context.thread) });
    await ctx.tracer.span(ctx, point, { outer: 1 }, (inner) => inner.tracer.span(inner, point, {}, () => undefined), { value: () => 1 });
    expect(seen).toEqual([['value'], undefined, 'main', [], { outer: 1 }, 'main']);
  });

  it('hears of rules without anybody keeping the events', () => {
    const rules: string[] = [];
    const tracer = new Tracer(undefined, { ...openGate, decided: (_ctx, rule, facts) => void rules.push(`${rule} ${JSON.stringify(facts)}`) });
    const ctx = background(new VirtualClock(), tracer);
    tracer.decide(ctx, 'rule', () => ({ fact: 1 }), 'yes');
    expect(rules).toEqual(['rule {"fact":1}']);
  });

  it('sees messages as spans where it watches, and says how often they are delivered', async () => {
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
