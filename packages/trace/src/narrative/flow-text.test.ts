import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../events/event.ts';
import { FlowText, formatDuration } from './flow-text.ts';

const at = (seconds: number): number => seconds * 1_000;
let seq = 0;
const event = (time: number, rest: object): TraceEvent =>
  ({ seq: ++seq, time: at(time), thread: 'uid', pod: 'uid', ...rest }) as TraceEvent;

const text = (events: readonly TraceEvent[]): string[] => {
  const flow = new FlowText();
  return events.flatMap((each) => flow.lines(each)).map(({ depth, text: line }) => `${'  '.repeat(depth)}${line}`);
};

const added = event(0, {
  type: 'podChanged',
  operation: 'ADDED',
  object: { metadata: { name: 'web', namespace: 'default' } },
});
const started = (span: number, kind: string, point: string, title: string, more: object = {}): TraceEvent =>
  event(1, { type: 'spanStarted', span, kind, point, title, attributes: {}, ...more });
const ended = (span: number, time: number, more: object = {}): TraceEvent =>
  event(time, { type: 'spanEnded', span, outcome: 'ok', ...more });

describe('FlowText', () => {
  it('writes a sync with its active steps and omits the others', () => {
    expect(
      text([
        added,
        started(1, 'sync', 'kuberuntime.SyncPod', 'SyncPod'),
        started(2, 'syncStep', 'syncPod.killPod', 'Kill the pod', { parent: 1 }),
        ended(2, 1),
        started(3, 'syncStep', 'syncPod.createPodSandbox', 'Create the sandbox', { parent: 1 }),
        started(4, 'cri', 'cri.RunPodSandbox', 'RunPodSandbox', {
          parent: 3,
          attributes: { request: { config: { metadata: { name: 'web' } } } },
        }),
        ended(4, 1.25),
        ended(3, 1.25),
        ended(1, 1.3),
      ]),
    ).toEqual([
      'pod default/web appears',
      '  SyncPod 1',
      '    Create the sandbox',
      '      RunPodSandbox web 250 ms',
      '    … 250 ms',
    ]);
  });

  it('names the container of a call that contains only its id', () => {
    const request = (id: string): object => ({ attributes: { request: { containerId: id } } });
    expect(
      text([
        added,
        started(1, 'cri', 'cri.CreateContainer', 'CreateContainer', {
          attributes: { request: { config: { metadata: { name: 'app' } } } },
        }),
        ended(1, 1, { attributes: { response: { containerId: 'c0ffee' } } }),
        started(2, 'cri', 'cri.StartContainer', 'StartContainer', request('c0ffee')),
        ended(2, 1),
        event(1, {
          type: 'runtimeStateChanged',
          object: 'container',
          id: 'bead',
          name: 'side',
          attempt: 2,
          from: 'running',
          to: 'unknown',
        }),
        started(3, 'cri', 'cri.StopContainer', 'StopContainer', request('bead')),
        ended(3, 1),
        started(4, 'cri', 'cri.StopContainer', 'StopContainer', request('nobody')),
        ended(4, 1),
      ]).map((line) => line.trim()),
    ).toEqual([
      'pod default/web appears',
      'CreateContainer app 0 ms',
      'StartContainer app 0 ms',
      'StopContainer side 0 ms',
      'StopContainer 0 ms',
    ]);
  });

  it('writes failed calls with their reason, including read-only ones', () => {
    expect(
      text([
        added,
        started(1, 'cri', 'cri.PodSandboxStatus', 'PodSandboxStatus'),
        ended(1, 2, { outcome: 'error', error: { reason: 'Unavailable', message: 'no connection' } }),
      ]),
    ).toContain('      ✗ PodSandboxStatus 1 s: Unavailable: no connection');
  });

  it('writes a status only after a change that users notice', () => {
    const status = (state: object, restartCount = 0): TraceEvent =>
      event(3, {
        type: 'podStatus',
        status: { phase: 'Running', conditions: [], containerStatuses: [{ name: 'app', restartCount, state }] },
      });
    expect(
      text([
        added,
        status({ running: {} }),
        status({ running: {} }),
        status({ waiting: { reason: 'CrashLoopBackOff' } }, 2),
      ]),
    ).toEqual(['pod default/web appears', '  status Running, app running', '  status app CrashLoopBackOff ↻2']);
  });

  it('marks actions of the debugger', () => {
    expect(
      text([
        added,
        event(1, { type: 'stopped', reason: 'breakpoint', point: 'cri.CreateContainer', phase: 'before' }),
        event(1, {
          type: 'intervention',
          id: 1,
          action: 'fail',
          origin: 'stop',
          text: 'CreateContainer fails with Internal: disk full',
        }),
      ]).slice(1),
    ).toEqual([
      '  ■ stopped before cri.CreateContainer (breakpoint)',
      '  ⚡ CreateContainer fails with Internal: disk full',
    ]);
  });
});

describe('formatDuration', () => {
  it.each([
    [3.4, '3 ms'],
    [1_250, '1.25 s'],
    [41_500, '41.5 s'],
    [125_000, '2 min 5 s'],
    [300_000, '5 min'],
  ])('formats %s ms as %s', (ms, said) => {
    expect(formatDuration(ms)).toBe(said);
  });
});
