import type { Answer, RelayMessage } from '@podscope/relay-protocol/wire';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { grpcFrame } from '../testing/served-relay.ts';
import { Call } from './call.ts';
import type { Observer } from './observer.ts';
import type { StreamSide } from './stream-side.ts';
import { formatTimeout } from './timeout.ts';

const method = 'CreateContainer';
/** The monotonic clock, in milliseconds. It moves independently of the timers, as it does while a process is paused. */
let now = 0;
let reports: RelayMessage[] = [];
/** The headers of the calls that reached the runtime. */
let forwarded: (readonly (readonly [string, string])[])[] = [];
let sent: string[] = [];
let hasDebugger = true;

const observer: Observer = {
  get isConnected() {
    return hasDebugger;
  },
  report: (message, _bytes, release) => {
    reports.push(message);
    release?.();
  },
  asksAbout: (asked, phase) => asked === method && phase === 'before',
  answerWithin: 250,
};

const side = (record: (text: string) => void): StreamSide => ({
  sendHeaders: (fields) => record(fields.map((field) => field.join('=')).join(' ')),
  sendData: () => record('data'),
  sendReset: (code) => record(`reset ${code}`),
  waitingBytes: () => 0,
  acknowledge: () => undefined,
});

/** Opens a call with a complete request. The debugger is asked about it. */
function opened(timeout: string): Call {
  const call = new Call(
    {
      number: 1,
      connection: 1,
      endpoint: 'runtime',
      fields: [
        [':path', `/runtime.v1.RuntimeService/${method}`],
        ['grpc-timeout', timeout],
      ],
      client: side((text) => sent.push(text)),
      observer,
      open: (_call, fields) => {
        forwarded.push(fields);
        return side(() => undefined);
      },
      over: () => undefined,
    },
    false,
  );
  call.clientData(grpcFrame(Buffer.from('x')), true);
  return call;
}

const go: Answer = { kind: 'go' };
const deadlineStatus = expect.stringContaining('grpc-status=4');

beforeEach(() => {
  now = 1_000;
  reports = [];
  forwarded = [];
  sent = [];
  hasDebugger = true;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate'] });
  vi.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a call whose deadline passed while it waited', () => {
  const waits: Record<string, (call: Call) => void> = {
    'a hold reaches its limit': (call) => {
      call.answer({ kind: 'hold' });
      now += 3_000;
      vi.runAllTimers();
    },
    'a delay ends': (call) => {
      call.answer({ kind: 'fault', fault: { kind: 'delay', ms: 500 } });
      now += 3_000;
      vi.runAllTimers();
    },
    'a question gets no answer': () => {
      now += 3_000;
      vi.runAllTimers();
    },
    'the answer arrives': (call) => {
      now += 3_000;
      call.answer(go);
      vi.runAllTimers();
    },
    'the debugger releases it': (call) => {
      call.answer({ kind: 'fault', fault: { kind: 'hang' } });
      now += 3_000;
      call.release(go);
      vi.runAllTimers();
    },
    'the debugger disconnects': (call) => {
      call.answer({ kind: 'hold' });
      now += 3_000;
      call.debuggerGone();
      vi.runAllTimers();
    },
  };
  it.each(Object.entries(waits))('ends with DEADLINE_EXCEEDED and is not forwarded when %s', (_name, wait) => {
    const call = opened('2S');
    wait(call);
    expect(forwarded).toEqual([]);
    expect(sent).toEqual([deadlineStatus]);
    expect(call.isOver).toBe(true);
  });
});

describe('a call that the client reset while the relay was paused', () => {
  // The event loop runs a timer or reads the debugger's message, then reads the reset, then runs immediates.
  const ends: Record<string, (call: Call) => void> = {
    'the limit of a hold': (call) => {
      call.answer({ kind: 'hold' });
      vi.advanceTimersToNextTimer();
    },
    'the end of a delay': (call) => {
      call.answer({ kind: 'fault', fault: { kind: 'delay', ms: 500 } });
      vi.advanceTimersToNextTimer();
    },
    'a question without an answer': () => void vi.advanceTimersToNextTimer(),
    'an answer': (call) => void call.answer(go),
    'a release': (call) => {
      call.answer({ kind: 'hold' });
      call.release(go);
    },
    "the debugger's disconnection": (call) => {
      call.answer({ kind: 'hold' });
      hasDebugger = false;
      call.debuggerGone();
    },
  };
  it.each(Object.entries(ends))('is not forwarded when the reset is read right after %s', (_name, end) => {
    const call = opened('1H');
    end(call);
    call.clientReset(8);
    vi.runAllTimers();
    expect(forwarded).toEqual([]);
    expect(call.isOver).toBe(true);
  });
});

describe('a call that waited', () => {
  it('is forwarded once with the remaining timeout', () => {
    const call = opened('2S');
    call.answer({ kind: 'hold' });
    now += 700;
    call.release(go);
    expect(call.answer(go)).toBe('late');
    call.debuggerGone();
    vi.runAllTimers();
    expect(forwarded.map((fields) => new Map(fields).get('grpc-timeout'))).toEqual(['1300m']);
    expect(sent).toEqual([]);
  });

  it('is forwarded at the limit of its hold, with the rest of its time', () => {
    const call = opened('20S');
    call.answer({ kind: 'hold' });
    now += 17_999;
    vi.advanceTimersByTime(17_999);
    expect(forwarded).toEqual([]);
    now += 1;
    vi.advanceTimersByTime(1);
    vi.runAllTimers();
    expect(reports.filter(({ type }) => type === 'released')).toMatchObject([{ reason: 'limit' }]);
    expect(forwarded.map((fields) => new Map(fields).get('grpc-timeout'))).toEqual(['2000m']);
  });

  it('has no limit that a timer cannot have', () => {
    const call = opened('99999999H');
    call.answer({ kind: 'hold' });
    vi.advanceTimersByTime(60_000);
    expect(forwarded).toEqual([]);
    expect(reports.some(({ type }) => type === 'released')).toBe(false);
  });
});

describe('formatTimeout', () => {
  it.each([
    [1_500.9, '1500m'],
    [0.4, '400u'],
    [0.0001, '1u'],
    [200_000_000, '200000S'],
  ])('formats %d ms as %s', (ms, text) => expect(formatTimeout(ms)).toBe(text));
});
