import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../events/event.ts';
import { crashLoop, EventScript } from '../folds/testing/index.ts';
import { randomRun } from '../folds/testing/random-run.ts';
import { compareRuns } from './compare-runs.ts';
import { type RunStep, RunSteps } from './run-steps.ts';

const steps = (events: readonly TraceEvent[]): readonly RunStep[] => new RunSteps().takeAll(events).steps;
const short = ({ action, target, attempt, reason }: RunStep): string =>
  `${action} ${target} ${attempt}${reason ? ` ${reason}` : ''}`;
const { events } = crashLoop(3);

/** Returns the same run with other ids, event numbers and times. */
const retold = (story: readonly TraceEvent[]): TraceEvent[] =>
  (
    JSON.parse(
      JSON.stringify(story)
        .replaceAll('6f1c2a60-0d4e-4a52-9a3e-8c1f7b1f2d10', 'another-uid')
        .replaceAll('f00d', 'cafe'),
    ) as TraceEvent[]
  ).map((event) => ({
    ...event,
    seq: event.seq + 1_000,
    time: event.time + 86_400_000,
  }));

const changed = (change: (event: TraceEvent) => TraceEvent | undefined): TraceEvent[] =>
  retold(events).flatMap((event) => change(event) ?? []);
const differences = (after: readonly TraceEvent[]) =>
  compareRuns(events, after).steps.flatMap(({ before, after: other, difference }) =>
    difference ? [`${difference} ${short(other ?? (before as RunStep))}`] : [],
  );

/**
 * Returns a run as of a genuine kubelet: the pod's name becomes known after the first call, and only a status call
 * shows the exit.
 */
function observed(): readonly TraceEvent[] {
  const base = { thread: 'uid-1', pod: 'uid-1', source: 'cri' } as const;
  const call = (seq: number, point: string, attributes: object, response: object): readonly unknown[] => [
    { ...base, type: 'spanStarted', seq, time: seq, span: seq, point, kind: 'cri', title: point, attributes },
    { ...base, type: 'spanEnded', seq: seq + 1, time: seq, span: seq, outcome: 'ok', attributes: { response } },
  ];
  const status = {
    status: {
      id: 'c1',
      metadata: { name: 'app', attempt: 2 },
      state: 'CONTAINER_EXITED',
      startedAt: 1_000_000_000,
      finishedAt: 3_000_000_000,
      exitCode: 3,
      reason: 'Error',
    },
  };
  return [
    ...call(1, 'cri.RunPodSandbox', { request: { config: { metadata: { name: 'web' } } } }, { podSandboxId: 's1' }),
    {
      ...base,
      type: 'podChanged',
      seq: 3,
      time: 3,
      operation: 'ADDED',
      object: { metadata: { name: 'web', namespace: 'default' } },
    },
    ...call(4, 'cri.ContainerStatus', {}, status),
    ...call(6, 'cri.ContainerStatus', {}, status),
  ] as unknown as readonly TraceEvent[];
}

describe('steps of an observed run', () => {
  it('have the name of the pod even if the source of names answers later', () => {
    expect(steps(observed()).map(({ pod, action }) => [pod, action])).toEqual([
      ['default/web', 'RunPodSandbox'],
      ['default/web', 'exit'],
    ]);
  });

  it('contain no second failure for a call that the shadow engine predicted', () => {
    const log = new EventScript('uid-1');
    log.open('kuberuntime.startContainer', { kind: 'function' });
    log.open('shadow.PullImage', { kind: 'criStep' });
    log.close(undefined, { reason: 'Unknown', message: 'connection refused' });
    log.close(undefined, { reason: 'ErrImagePull', message: 'connection refused' });
    expect(steps(log.events)).toEqual([]);
  });

  it('contain each exit once, as the status of the container shows it', () => {
    expect(steps(observed()).at(-1)).toMatchObject({
      target: 'app',
      attempt: 2,
      reason: 'exit code 3',
      duration: 2_000,
    });
  });
});

describe('steps of a run', () => {
  it('lists calls and observed changes by name', () => {
    expect(steps(events).map(short)).toEqual([
      'phase Pending 0',
      'RunPodSandbox POD 0',
      'PullImage busybox:1.36 0',
      'CreateContainer migrate 0',
      'StartContainer migrate 0',
      'exit migrate 0 exit code 0',
      'PullImage envoy:1.30 0',
      'CreateContainer proxy 0',
      'StartContainer proxy 0',
      'PullImage shop/web:2.4.1 0',
      'CreateContainer app 0',
      'StartContainer app 0',
      'phase Running 0',
      'exit app 0 exit code 1',
      'CreateContainer app 1',
      'StartContainer app 1',
      'exit app 1 exit code 1',
      'CreateContainer app 2',
      'StartContainer app 2',
      'exit app 2 exit code 1',
    ]);
  });
});

describe('compareRuns', () => {
  it('finds no difference between a run and a copy with other ids and times', () => {
    fc.assert(
      fc.property(randomRun(), (run) => {
        const comparison = compareRuns(
          run,
          run.map((event) => ({ ...event, seq: event.seq + 7, time: event.time + 5_000 })),
        );
        expect(comparison.alike).toBe(true);
        expect(comparison.counts).toMatchObject({ missing: 0, extra: 0, outcome: 0, slower: 0 });
      }),
    );
    expect(differences(retold(events))).toEqual([]);
  });

  it('places missing and extra steps where they happened', () => {
    const longer = retold(crashLoop(4).events);
    expect(differences(longer)).toEqual([
      'extra CreateContainer app 3',
      'extra StartContainer app 3',
      'extra exit app 3 exit code 1',
    ]);
    expect(
      compareRuns(longer, events)
        .steps.filter(({ difference }) => difference)
        .map(({ difference, before }) => `${difference} ${before?.action}`),
    ).toEqual(['missing CreateContainer', 'missing StartContainer', 'missing exit']);
  });

  it('reports a step with another outcome', () => {
    expect(
      differences(
        changed((event) =>
          event.type === 'runtimeStateChanged' && event.id === 'app-1' ? { ...event, exitCode: 137 } : event,
        ),
      ),
    ).toEqual(['outcome exit app 1 exit code 137']);
  });

  it('reports a step that took longer', () => {
    let late = 0;
    const after = changed((event) => {
      if (event.type === 'spanEnded' && late === 0 && JSON.stringify(event.attributes ?? {}).includes('podSandboxId'))
        late = 2_000;
      return { ...event, time: event.time + late };
    });
    expect(differences(after)[0]).toBe('slower RunPodSandbox POD 0');
    expect(compareRuns(after, events).counts.faster).toBeGreaterThan(0);
  });

  it('marks injected failures and the calls around them', () => {
    const log = new EventScript('pod');
    log.open('cri.StopContainer', { attributes: { container: 'app' } });
    const inner = log.open('docker.StopContainer');
    log.emit({
      type: 'intervention',
      id: 1,
      action: 'fail',
      origin: 'fault',
      span: inner,
      text: 'Stop container fails',
    });
    log.close(undefined, { reason: '500', message: 'no' });
    log.close(undefined, { reason: 'Unknown', message: 'no' });
    log.open('cri.StopContainer', { attributes: { container: 'app' } });
    log.close();
    expect(steps(log.events).map(({ action, outcome, injected }) => ({ action, outcome, injected }))).toEqual([
      { action: 'StopContainer', outcome: 'error', injected: ['Stop container fails'] },
      { action: 'StopContainer', outcome: 'ok', injected: [] },
    ]);
    const killed = retold(events);
    const at = killed.findIndex(
      (event) => event.type === 'runtimeStateChanged' && event.id === 'app-1' && event.to === 'exited',
    );
    const { seq = 0, time = 0 } = killed[at] ?? {};
    killed.splice(at, 0, {
      type: 'intervention',
      seq,
      time,
      thread: 'debugger',
      id: 1,
      action: 'kill',
      origin: 'command',
      text: 'SIGKILL',
      details: { id: 'app-1' },
    });
    expect(steps(killed).filter(({ injected }) => injected.length > 0)).toMatchObject([
      { action: 'exit', target: 'app', attempt: 1, injected: ['SIGKILL'] },
    ]);
  });

  it('compares a static pod under the name in its manifest', () => {
    const create = (name: string, source: string, nodeName: string): EventScript => {
      const log = new EventScript(name);
      const annotations = { 'kubernetes.io/config.source': source };
      log.emit({
        type: 'podChanged',
        operation: 'ADDED',
        object: { metadata: { name, namespace: 'default', annotations }, spec: { nodeName } },
      });
      log.open('cri.RunPodSandbox');
      log.close();
      return log;
    };
    const genuine = create('web-node1', 'file', 'Node1').events;
    for (const pod of ['default/web', 'default/web-node1', undefined]) {
      const { counts } = compareRuns(genuine, create('web', 'api', 'node2').events, pod === undefined ? {} : { pod });
      expect(counts).toMatchObject({ same: 1, missing: 0, extra: 0 });
    }
    // A pod of the API has its own name, even if it ends with the name of the node.
    const other = create('web-node2', 'api', 'node2').events;
    expect(compareRuns(genuine, other).counts).toMatchObject({ same: 0, missing: 1, extra: 1 });
  });

  it('compares only the requested pod', () => {
    expect(compareRuns(events, [], { pod: 'default/other' })).toMatchObject({ steps: [], alike: true });
  });
});
