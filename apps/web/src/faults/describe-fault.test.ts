import { expect, it } from 'vitest';
import { describeFault } from './describe-fault.ts';

it('says what a fault does, where, and to what', () => {
  expect(describeFault({ at: 'cri.PullImage', pod: 'web-*', skip: 1, times: 2, delay: '5s', fail: { grpc: 'Unavailable', message: 'gone' } })).toEqual({
    what: 'cri.PullImage: waits 5s, fails with Unavailable: gone',
    details: 'pod web-* · leaves 1 alone first · at most 2 times',
  });
  expect(describeFault({ at: 'kubelet.plegEvent', drop: true, condition: 'event == "ContainerDied"' })).toEqual({
    what: 'kubelet.plegEvent: is not delivered',
    details: 'if event == "ContainerDied"',
  });
});
