import { describe, expect, it } from 'vitest';
import { interventionsBehind, interventionsQuoted, interventionsWithin } from './interventions.ts';
import { RunFold } from './run-fold.ts';
import { crashLoopPod, EventScript } from './testing/index.ts';

const uid = crashLoopPod.metadata.uid;

/** Returns a step with two calls, one with an injected failure and one with an injected delay. */
function reported() {
  const log = new EventScript(uid).emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
  const step = log.open('syncPod.createPodSandbox');
  log.open('cri.RunPodSandbox');
  log.emit({
    type: 'intervention',
    id: 1,
    action: 'fail',
    origin: 'fault',
    text: 'it fails',
    details: { grpc: 'Internal', message: 'disk full' },
  });
  log.close();
  const second = log.open('cri.PodSandboxStatus');
  log.emit({
    type: 'intervention',
    id: 2,
    action: 'delay',
    origin: 'stop',
    text: 'it waits',
    details: { milliseconds: 5 },
  });
  const fold = new RunFold();
  fold.applyAll(log.events);
  const pod = fold.pod(uid);
  if (!pod) throw new Error('no pod');
  return { fold, pod, step, second, spanOf: (id: number) => fold.span(id) };
}

const numbers = (found: readonly { readonly id: number }[]): readonly number[] => found.map(({ id }) => id);

describe('interventions', () => {
  it('are found from the step that made the affected call', () => {
    const { fold, step, second, spanOf } = reported();
    expect(numbers(interventionsWithin(fold.span(step), spanOf))).toEqual([1, 2]);
    expect(numbers(interventionsWithin(fold.span(second), spanOf))).toEqual([2]);
    expect(interventionsWithin(undefined, spanOf)).toEqual([]);
  });

  it('are found in texts that quote them', () => {
    const { pod } = reported();
    expect(numbers(interventionsQuoted(pod, 'Error: rpc error: desc = disk full'))).toEqual([1]);
    expect(interventionsQuoted(pod, 'no such image')).toEqual([]);
    expect(interventionsQuoted(pod, undefined)).toEqual([]);
  });

  it('are found for a result that quotes them, and for a delayed result', () => {
    const { fold, pod, step, spanOf } = reported();
    expect(numbers(interventionsBehind(pod, 'disk full', fold.span(step), spanOf))).toEqual([1]);
    expect(numbers(interventionsBehind(pod, 'no such image', fold.span(step), spanOf))).toEqual([2]);
  });
});
