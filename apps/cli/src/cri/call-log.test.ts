import { background, Tracer, VirtualClock } from '@podscope/trace';
import { expect, it } from 'vitest';
import { CallLog } from './call-log.ts';

it('prints each call with its steps, its Docker calls and its error', async () => {
  const printed: string[] = [];
  let now = 0;
  const log = new CallLog(
    (text) => printed.push(text),
    () => (now += 1),
  );
  const ctx = background(new VirtualClock(), new Tracer(log));
  const call = ctx.tracer.span(
    ctx,
    { id: 'cri.StartContainer', kind: 'cri', title: 'StartContainer' },
    {},
    async (inner) => {
      await ctx.tracer.span(
        inner,
        { id: 'docker.StartContainer', kind: 'docker', title: 'docker StartContainer' },
        {},
        () => undefined,
      );
      throw new Error('no such container');
    },
  );
  await expect(call).rejects.toThrow('no such container');
  expect(printed).toEqual(['StartContainer  3.0 ms  Error: no such container\n  docker StartContainer  1.0 ms']);
});
