/** Tests when the log files of removed containers count as removed. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { CallMessage, CallRecord } from '../inputs.ts';
import { metadata, ObservedPod } from '../testing/observed-pod.ts';
import { NodeFacts } from './node-facts.ts';

describe('the log file of a container', () => {
  const pod = { uid: 'uid-1', namespace: 'default', name: 'web' };
  const call = (method: string, end: number, request: CallMessage, response: CallMessage = {}): CallRecord => ({
    number: end,
    service: 'runtime.v1.RuntimeService',
    method,
    metadata: {},
    t: end,
    deadline: undefined,
    request,
    result: { end, status: 0, message: '', response },
  });
  /** Returns the facts after the container was created at 1 and removed at 10. */
  function removed(): NodeFacts {
    const facts = new NodeFacts();
    const metadata = { name: 'app', attempt: 2 };
    facts.answered(call('CreateContainer', 1, { config: { metadata } }, { containerId: 'c' }), pod);
    facts.answered(call('RemoveContainer', 10, { containerId: 'c' }), pod);
    return facts;
  }
  const logs = (facts: NodeFacts, times: readonly number[]): readonly (number | undefined)[] =>
    times.map((time) => facts.logsOf(pod.uid, time).get('app'));

  it('is removed with the container', () => {
    expect(logs(removed(), [0, 1, 9, 10, 30])).toEqual([undefined, 2, 2, undefined, undefined]);
  });

  it('stays until the last sandbox is removed if the kubelet kept it', () => {
    const facts = removed();
    facts.logKept('c');
    facts.sandboxesRemoved(pod.uid, 20);
    expect(logs(facts, [10, 19, 20])).toEqual([2, 2, undefined]);
  });

  it('is removed with the last sandbox, also if only a later judgement shows that the kubelet kept it', () => {
    const facts = removed();
    facts.sandboxesRemoved(pod.uid, 20);
    facts.sandboxesRemoved('uid-2', 15);
    facts.logKept('c');
    expect(logs(facts, [10, 19, 20])).toEqual([2, 2, undefined]);
  });
});

it('takes the log directory of a pod as removed with its last sandbox, and not with an earlier one', () => {
  const removed = vi.spyOn(NodeFacts.prototype, 'sandboxesRemoved');
  onTestFinished(() => removed.mockRestore());
  const pod = new ObservedPod('v1.36.2');
  pod.inspect(60_000, 'CONTAINER_EXITED');
  pod.call(60_100, 'RunPodSandbox', { config: { metadata: metadata } }, { podSandboxId: 's2' });
  pod.listSandboxes(60_200, ['s', 's2']);
  pod.call(60_300, 'RemovePodSandbox', { podSandboxId: 's' });
  expect(removed).not.toHaveBeenCalled();
  pod.call(60_400, 'RemovePodSandbox', { podSandboxId: 's2' });
  expect(removed.mock.calls).toEqual([['uid-1', 1_060_401]]);
});
