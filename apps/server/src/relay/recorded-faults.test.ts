/**
 * Tests faults and holds on recorded conversations of genuine kubelets: they pass through the relay's own process,
 * whose debugger is an observed node. All other calls of the conversation must pass unchanged.
 */
import { decodeCallMessage, encodeCallMessage } from '@podscope/cri/grpc';
import { grpcFrame, TestDebugger } from '@podscope/relay/testing';
import { holdableMethods } from '@podscope/relay-protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ObservedNode } from './observed-node.ts';
import {
  type Conversation,
  type RecordedCall,
  recordedCalls,
  startConversation,
} from './testing/recorded-conversation.ts';

type Seen = Awaited<ReturnType<Conversation['call']>>;

let conversation: Conversation;

beforeEach(async () => {
  conversation = await startConversation();
});
afterEach(() => conversation?.close());

/** Returns the status that the client got; undefined without one. */
function statusOf({ headers, trailers }: Seen): readonly [code: number, message: string] | undefined {
  const { 'grpc-status': code, 'grpc-message': message = '' } = { ...headers, ...trailers };
  return code === undefined ? undefined : [Number(code), decodeURIComponent(String(message))];
}

/** Returns what the client sees, and how many times the runtime gets the call. */
const outcomeOf = (seen: Seen) => ({ served: seen.served, code: seen.code, status: statusOf(seen), body: seen.body });

const recorded = ({ response, status, message }: RecordedCall) => ({
  served: 1,
  code: 0,
  status: [status, message],
  body: response ?? Buffer.alloc(0),
});

const none = Buffer.alloc(0);

/** The faults, each with what the client and the runtime see of the first call that it affects. */
const faults = {
  'a gRPC error before the runtime': {
    fault: { fail: { grpc: 'ResourceExhausted', message: 'no space left' } },
    expected: () => ({ served: 0, code: 0, status: [8, 'no space left'], body: none }),
  },
  'a lost response': {
    fault: { when: 'after', fail: { grpc: 'Unavailable', message: 'connection lost' } },
    expected: () => ({ served: 1, code: 0, status: [14, 'connection lost'], body: none }),
  },
  'a delay': { fault: { delay: '50ms' }, expected: recorded },
  'a hang until the deadline': {
    fault: { hang: true },
    // The client gives up at its deadline with RST_STREAM, as a kubelet does.
    expected: () => ({ served: 0, code: 8, status: undefined, body: none }),
  },
  'a cut stream': { fault: { cut: 0 }, expected: () => ({ served: 1, code: 2, status: undefined, body: none }) },
} as const;

const method = 'StartContainer';

/** A call of a pod that isn't in the recordings. It fails as soon as the relay knows the faults. */
const probe: RecordedCall = {
  path: '/runtime.v1.RuntimeService/RunPodSandbox',
  method: 'RunPodSandbox',
  request: grpcFrame(
    encodeCallMessage('RunPodSandbox', 'request', {
      config: { metadata: { name: 'probe', uid: 'uid-of-probe', namespace: 'default' } },
    }),
  ),
  response: undefined,
  status: 12,
  message: 'the faults are not known yet',
};

/** Returns the container that a recorded call starts. */
function containerOf({ request }: RecordedCall): string {
  const decoded = decodeCallMessage(method, 'request', request.subarray(5));
  return 'message' in decoded ? String(decoded.message['containerId']) : '';
}

/** Returns the first call of a method. */
function firstOf(calls: readonly RecordedCall[], method: string): RecordedCall {
  const call = calls.find((each) => each.method === method);
  if (call?.status !== 0) throw new Error(`${method} isn't in the recording, or it failed`);
  return call;
}

describe.each([
  ['v1.36.2 on cri-dockerd', 'a'],
  ['v1.36.2 on containerd', 'b'],
  ['v1.20.2 with v1alpha2', 'c'],
] as const)('the conversation of %s through the relay', (_name, session) => {
  it('has each fault once, and its other calls are unchanged', async () => {
    const calls = await recordedCalls(session);
    // Each fault affects the start of another container.
    const starts = calls.filter((call) => call.method === method && call.status === 0);
    const plan = Object.entries(faults).flatMap(([kind, each], index) => {
      const call = starts[index];
      return call ? [{ kind, call, ...each }] : [];
    });
    expect(plan).toHaveLength(5);
    const node = new ObservedNode({ control: conversation.control, notify: () => undefined });
    const detach = node.debugger.attach();
    try {
      await vi.waitUntil(() => node.isConnected, { timeout: 120_000 });
      node.debugger.setFaults('', [
        ...plan.map(({ call, fault }) => ({
          at: `cri.${method}`,
          condition: `request.containerId == '${containerOf(call)}'`,
          ...fault,
        })),
        { at: 'cri.RunPodSandbox', pod: 'probe', fail: { grpc: 'Aborted', message: 'known' } },
      ]);
      await expect.poll(async () => statusOf(await conversation.call(probe))).toEqual([10, 'known']);
      for (const call of calls) {
        const fault = plan.find((each) => each.call === call);
        const deadline = new AbortController();
        const result = conversation.call(call, deadline.signal);
        if (fault?.kind === 'a hang until the deadline') {
          await vi.waitUntil(() => node.debugger.state().held.length === 1, { timeout: 120_000 });
          deadline.abort();
        }
        expect([call.path, outcomeOf(await result)]).toEqual([call.path, (fault?.expected ?? recorded)(call)]);
      }
      const applied = node.debugger.state().faults.map((fault) => fault.applied);
      expect(applied.slice(0, plan.length)).toEqual(plan.map(() => 1));
    } finally {
      detach();
      await node.close();
    }
  });

  it('passes unchanged when its calls are held too late, after them, or by an unknown number', async () => {
    const calls = await recordedCalls(session);
    const [passed, answered] = [firstOf(calls, 'StopContainer'), firstOf(calls, 'StartContainer')];
    // The relay has started when it has forwarded a call.
    await conversation.call(probe);
    // The debugger wants to hold every call, also those that affect the whole node.
    const all = [...new Set(calls.map(({ method }) => method))];
    const debug = await TestDebugger.connected(conversation.control, all, ['StartContainer']);
    const answer = (call: number, kind: 'go' | 'hold') => debug.send({ type: 'answer', call, answer: { kind } });
    let current: RecordedCall | undefined;
    const asked: string[] = [];
    debug.onMessage = (message) => {
      if (message.type !== 'question') return;
      asked.push(current?.method ?? '');
      // A hold of a response, which the relay refuses; it then passes.
      if (message.phase === 'after') return answer(message.call, current === answered ? 'hold' : 'go');
      answer(message.call, 'go');
      // A hold of a call that already was forwarded.
      if (current === passed) answer(message.call, 'hold');
    };
    const refusals = () => debug.ofType('refused').map(({ reason }) => reason);
    answer(1_000_000, 'hold');
    await expect.poll(refusals).toEqual(['unknownCall']);
    for (const call of calls) {
      current = call;
      // The runtime answers after the refusal, so that the call is still in flight when the late hold arrives.
      conversation.gate =
        call === passed
          ? debug.next(({ type, ...rest }) => type === 'refused' && 'reason' in rest && rest.reason === 'late')
          : Promise.resolve();
      expect([call.path, outcomeOf(await conversation.call(call))]).toEqual([call.path, recorded(call)]);
    }
    expect(refusals()).toEqual(expect.arrayContaining(['unknownCall', 'late', 'notHoldable']));
    expect(refusals()).toHaveLength(3);
    expect(debug.ofType('held')).toEqual([]);
    expect(asked.filter((method) => !holdableMethods.includes(method))).toEqual([]);
    debug.close();
  });
});
