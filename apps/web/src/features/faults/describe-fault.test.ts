import { expect, it } from 'vitest';
import { describeFault } from './describe-fault.ts';

it('describes the effect, place and target of a fault', () => {
  expect(
    describeFault({
      at: 'cri.PullImage',
      pod: 'web-*',
      skip: 1,
      times: 2,
      delay: '5s',
      fail: { grpc: 'Unavailable', message: 'gone' },
    }),
  ).toEqual({
    what: 'cri.PullImage: waits 5s, fails with Unavailable: gone',
    details: 'pod web-* · skips the first 1 · at most 2 times',
  });
  expect(describeFault({ at: 'kubelet.plegEvent', drop: true, condition: 'event == "ContainerDied"' })).toEqual({
    what: 'kubelet.plegEvent: is dropped',
    details: 'if event == "ContainerDied"',
  });
});
