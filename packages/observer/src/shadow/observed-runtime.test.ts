import { background, EventLog, instant, Tracer, VirtualClock } from '@podscope/trace';
import { expect, it } from 'vitest';
import type { CallRecord } from '../inputs.ts';
import { Conversation, ObservedRuntimeService } from './observed-runtime.ts';

it('fails a read if the kubelet repeated it and the second one failed, as another removal was faster', async () => {
  const clock = new VirtualClock(instant(0));
  const read = (number: number, status: number): CallRecord => ({
    number,
    service: 'runtime.v1.RuntimeService',
    method: 'ContainerStatus',
    metadata: {},
    t: number,
    deadline: undefined,
    request: { containerId: 'c1' },
    result: { end: number, response: status === 0 ? { status: { id: 'c1' } } : undefined, status, message: '' },
  });
  const reads = { sandboxStatus: () => undefined, containerStatus: () => undefined, image: () => undefined };
  const conversation = new Conversation({ calls: [read(1, 0), read(2, 5)], optional: [], reads, clock });
  const runtime = new ObservedRuntimeService(conversation);
  const ctx = background(clock, new Tracer(new EventLog(clock)), 'test');
  const result = runtime.containerStatus(ctx, { containerId: 'c1', verbose: false }).catch((error: unknown) => error);
  await clock.advanceWhile(result);
  expect(await result).toMatchObject({ code: 'NotFound' });
});
