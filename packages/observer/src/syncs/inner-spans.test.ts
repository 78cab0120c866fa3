import { RunFold } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { Observer } from '../observer.ts';
import { SortingSink } from '../recording/replay.ts';
import { rpcOf } from './inner-spans.ts';

const name = 'runtime.v1.RuntimeService/RunPodSandbox';
const call = { service: 'runtime.v1.RuntimeService', method: 'RunPodSandbox' };

describe('rpcOf', () => {
  it.each([
    ['service and method', 'x', { 'rpc.service': call.service, 'rpc.method': call.method }],
    ['the method with its service', 'x', { 'rpc.method': name }],
    ['the name alone', name, { 'rpc.system.name': 'grpc' }],
  ])('reads the generation with %s', (_generation, spanName, attributes) => {
    expect(rpcOf({ name: spanName, attributes })).toEqual(call);
  });

  it('returns undefined for a span inside of a call', () => {
    expect(rpcOf({ name: 'cri.sandbox.run', attributes: { 'sandbox.id': 'x' } })).toBeUndefined();
  });
});

describe('spans of the runtime', () => {
  const trace = '0af7651916cd43dd8448eb211c80319c';
  const span = { trace, scope: 'containerd', attributes: {}, error: undefined };

  it('appear below the call that they are inside of, whatever the order of their arrival', () => {
    const sink = new SortingSink();
    const facts = { version: 'v1.36.2', nodeName: undefined, featureGates: {}, maxContainerRestartPeriod: undefined };
    const observer = new Observer({ sink, facts });
    const metadata = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    const request = { config: { metadata: { name: 'web', uid: 'u', namespace: 'default', attempt: 0 } } };
    observer.callStarted({ ...call, number: 1, metadata, t: 1_000, deadline: undefined, request });
    observer.callEnded(1, { end: 1_300, response: { podSandboxId: 's' }, status: 0, message: '' });
    observer.span({ ...span, id: 'c3', parent: 'c2', name: 'cri.setup_pod_network', t: 1_100, end: 1_150 });
    observer.span({ ...span, id: 'c2', parent: 'c1', name: 'cri.sandbox.run', t: 1_020, end: 1_290 });
    observer.span({ ...span, id: 'c1', parent: 'b7ad6b7169203331', name, t: 1_010, end: 1_295 });
    const fold = new RunFold();
    fold.applyAll(sink.sorted());
    const below = (id: number): unknown[] =>
      (fold.span(id)?.children ?? []).map((each) => [fold.span(each)?.title, below(each)]);
    const started = sink.sorted().find((event) => event.type === 'spanStarted' && event.point === 'cri.RunPodSandbox');
    expect(below(started?.span ?? 0)).toEqual([['cri.sandbox.run', [['cri.setup_pod_network', []]]]]);
  });

  it("of the kubelet appear below their sync, and the runtime's below the call, not below the client's span", () => {
    const sink = new SortingSink();
    const facts = { version: 'v1.36.2', nodeName: undefined, featureGates: {}, maxContainerRestartPeriod: undefined };
    const observer = new Observer({ sink, facts });
    const metadata = { traceparent: `00-${trace}-b7ad6b7169203331-01` };
    const request = { config: { metadata: { name: 'web', uid: 'u', namespace: 'default', attempt: 0 } } };
    observer.callStarted({ ...call, number: 1, metadata, t: 1_000, deadline: undefined, request });
    observer.callEnded(1, { end: 1_300, response: { podSandboxId: 's' }, status: 0, message: '' });
    const attributes = { 'k8s.pod.uid': 'u', 'k8s.pod.name': 'web', 'k8s.namespace.name': 'default' };
    observer.span({ ...span, id: 'k2', parent: 'k1', name: 'prepareDynamicResources', t: 950, end: 990 });
    observer.span({ ...span, id: 'c1', parent: 'b7ad6b7169203331', name: 'cri.sandbox.run', t: 1_010, end: 1_295 });
    observer.span({ ...span, id: 'b7ad6b7169203331', parent: 'k1', name, t: 999, end: 1_301 });
    observer.span({ ...span, id: 'k1', parent: '', name: 'syncPod', t: 940, end: 1_310, attributes });
    const fold = new RunFold();
    fold.applyAll(sink.sorted());
    const below = (id: number): unknown[] =>
      (fold.span(id)?.children ?? []).map((each) => [fold.span(each)?.title, below(each)]);
    const [sync] = fold.pod('u')?.syncs ?? [];
    expect(below(sync?.span ?? 0)).toEqual([
      ['prepareDynamicResources', []],
      ['RunPodSandbox', [['cri.sandbox.run', []]]],
    ]);
  });
});
