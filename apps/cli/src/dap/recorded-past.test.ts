import type { BreakpointState } from '@podscope/protocol';
import type { TraceEvent } from '@podscope/trace';
import { expect, it } from 'vitest';
import { RecordedPast } from './recorded-past.ts';

it('returns pods from before the first recorded event', () => {
  const started: TraceEvent = {
    seq: 900,
    time: 0,
    thread: 'uid-1',
    pod: 'uid-1',
    type: 'spanStarted',
    span: 40,
    parent: undefined,
    point: 'cri.StartContainer',
    kind: 'cri',
    title: 'StartContainer',
    attributes: {},
  };
  const breakpoint: BreakpointState = {
    id: 1,
    group: '',
    spec: { point: 'cri.StartContainer', pod: 'web' },
    verified: true,
    hits: 0,
  };
  const past = new RecordedPast();
  past.begin('v1.36', [
    { metadata: { uid: 'uid-1', namespace: 'default', name: 'web' }, spec: { containers: [{ name: 'app' }] } },
  ]);
  past.append([started]);
  expect([...past.stops([breakpoint], []).stops.keys()]).toEqual([900]);
  past.begin('v1.36');
  expect(past.stops([breakpoint], []).stops.size).toBe(0);
});
