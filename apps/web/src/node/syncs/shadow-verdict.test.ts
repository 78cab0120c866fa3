import { type Attributes, RunFold, type TraceEvent } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { agreementOf, agreementText, exportedSync, shadowRemarks, shadowVerdictOf } from './shadow-verdict.ts';
import { flowOptionsOf, type StepNode, stepTree } from './step-tree.ts';

const place = { thread: 'u', pod: 'u' };

/**
 * Returns a sync in which the kubelet made two calls: `CreateContainer`, which was predicted, and `StopContainer`,
 * which wasn't.
 */
function observedSync(
  verdict: Attributes = {
    verdict: 'differs',
    counts: true,
    predicted: [{ call: 'CreateContainer app attempt 0', followedBy: 5 }, { call: 'StartContainer c' }],
    differences: [
      { side: 'predicted', call: 'StartContainer c' },
      { side: 'observed', call: 'StopContainer c' },
    ],
  },
): RunFold {
  const started = (seq: number, span: number, parent: number | undefined, point: string, kind: string, more = {}) =>
    ({
      ...place,
      seq,
      time: seq,
      type: 'spanStarted',
      span,
      parent,
      point,
      kind,
      title: point,
      attributes: {},
      ...more,
    }) as const;
  const ended = (seq: number, span: number, attributes = {}) =>
    ({ ...place, seq, time: seq, type: 'spanEnded', span, outcome: 'ok', attributes }) as const;
  const shadow = { source: 'shadow', inferred: true } as const;
  const cri = { source: 'cri' } as const;
  const events: TraceEvent[] = [
    started(1, 1, undefined, 'kubelet.podWorkerLoop', 'worker', cri),
    started(2, 2, 1, 'kubelet.SyncPod', 'function', shadow),
    started(3, 3, 2, 'shadow.CreateContainer', 'criStep', { ...shadow, attributes: { followedBy: 5 } }),
    started(4, 4, 2, 'shadow.StartContainer', 'criStep', shadow),
    started(5, 5, 1, 'cri.CreateContainer', 'cri', cri),
    ended(6, 5),
    started(7, 6, 1, 'cri.StopContainer', 'cri', cri),
    ended(8, 6),
    ended(9, 3),
    ended(10, 4),
    ended(11, 2),
    ended(12, 1, verdict),
  ];
  const fold = new RunFold();
  fold.applyAll(events);
  return fold;
}

describe('a sync of a genuine kubelet', () => {
  const fold = observedSync();
  const [pod] = fold.pods();
  const [sync] = pod?.syncs ?? [];
  if (!pod || !sync) throw new Error('the story has no sync');
  const spanOf = (id: number | undefined) => (id === undefined ? undefined : fold.span(id));
  const flow = flowOptionsOf({
    profile: 'v1.36',
    runtime: { name: 'containerd', version: '1.7', kind: 'cri' },
    steps: [],
  });
  const roots = stepTree(flow, sync, spanOf, pod);
  const ran = (nodes: readonly StepNode[]): unknown[] =>
    nodes.filter(({ span }) => span).map(({ point, children }) => [point, ...ran(children)]);

  it('shows a predicted call where the shadow engine makes it, and others below the sync', () => {
    expect(ran(roots)).toEqual([
      [
        'kubelet.podWorkerLoop',
        ['kubelet.SyncPod', ['cri.CreateContainer'], ['shadow.StartContainer']],
        ['cri.StopContainer'],
      ],
    ]);
  });

  it('marks a prediction without a call and a call without a prediction', () => {
    expect([...shadowRemarks(roots, spanOf(sync.span)).values()]).toEqual(['notCalled', 'notPredicted']);
  });

  it('marks no call of a sync that the shadow engine did not compute', () => {
    const unknown = observedSync({ verdict: 'unknown', counts: true, missing: 'stateBefore', detail: 'the spec' });
    expect([...shadowRemarks(roots, unknown.span(sync.span))]).toEqual([]);
  });

  it('has the verdict of the sync with its differences', () => {
    expect(shadowVerdictOf(spanOf(sync.span))).toMatchObject({
      verdict: 'differs',
      counts: true,
      differences: [{ side: 'predicted' }, { side: 'observed' }],
    });
    expect(agreementOf([pod], spanOf)).toEqual({ agrees: 0, differs: 1, unknown: 0 });
  });

  it('is exported with every span', () => {
    expect(exportedSync(pod, sync, spanOf)).toMatchObject({
      sync: 1,
      span: { point: 'kubelet.podWorkerLoop', children: [{ source: 'shadow' }, { point: 'cri.CreateContainer' }, {}] },
    });
  });
});

describe('agreementText', () => {
  it.each([
    [{ agrees: 43, differs: 0, unknown: 3 }, '100 %'],
    [{ agrees: 9_999, differs: 1, unknown: 0 }, '99.9 %'],
    [{ agrees: 0, differs: 0, unknown: 5 }, undefined],
  ])('of %o is %s', (agreement, text) => {
    expect(agreementText(agreement)).toBe(text);
  });
});
