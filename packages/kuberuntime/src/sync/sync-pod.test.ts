/** Tests the events of a sync: steps, decisions and results. Other tests compare its actions with recordings. */
import { readFileSync } from 'node:fs';
import { kuberuntimePoints, syncPodPoints, syncPodPointsOf } from '@podscope/flow';
import {
  background,
  EventLog,
  type Gate,
  type TraceEvent,
  type TraceEventOf,
  Tracer,
  VirtualClock,
} from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import { Backoff } from '../flowcontrol/backoff.ts';
import { runtimeGates } from '../profiles/gates.ts';
import { profileOf, replayOf } from '../testing/conformance.ts';
import type { NodeRecording } from '../testing/recording-node.ts';
import { testPod, testStage } from '../testing/test-stage.ts';
import type { SyncRound, SyncVector } from '../testing/vectors.ts';
import { syncPod } from './sync-pod.ts';

const node = JSON.parse(
  readFileSync(new URL('../../../../apps/lab/vectors/node-v1.36.json', import.meta.url), 'utf8'),
) as NodeRecording;

const sync: SyncRound = { do: 'sync', expect: {} };

const life = (rounds: readonly SyncRound[], more: Partial<SyncVector> = {}): SyncVector => ({
  id: 'test',
  story: 'test',
  gates: {},
  pod: testPod({ restartPolicy: 'Always', securityContext: {} }),
  start: '2026-01-01T00:00:00Z',
  images: ['busybox:1.36'],
  objects: {},
  rounds,
  ...more,
});

/** Replays the rounds and returns the events of the last one. */
async function report(
  vector: SyncVector,
  gate?: Gate,
): Promise<{ readonly events: readonly TraceEvent[]; readonly last: Readonly<Record<string, unknown>> }> {
  const log = new EventLog(new VirtualClock());
  const replay = replayOf(vector, 'v1.36', node, new Tracer(log, gate));
  let before = 0;
  let last: Readonly<Record<string, unknown>> = {};
  for (const round of vector.rounds) {
    before = log.lastSeq;
    last = (await replay.play(round)) ?? last;
  }
  return { events: log.after(before), last };
}

const ofType = <T extends TraceEvent['type']>(events: readonly TraceEvent[], type: T): TraceEventOf<T>[] =>
  events.filter((event): event is TraceEventOf<T> => event.type === type);

const startedPoints = (events: readonly TraceEvent[], kind: string): string[] =>
  ofType(events, 'spanStarted')
    .filter((event) => event.kind === kind)
    .map(({ point }) => point);

describe('the steps of a release', () => {
  it('omits the ephemeral containers step of v1.20 when its gate is off, and keeps the other numbers', () => {
    const all = syncPodPointsOf('v1.20', { EphemeralContainers: true });
    expect(all.map(({ step }) => step)).toEqual(all.map((_, index) => index + 1));
    expect(all.map(({ id }) => id)).toContain('syncPod.startEphemeralContainers');
    expect(syncPodPointsOf('v1.20')).toEqual(all.filter(({ id }) => id !== 'syncPod.startEphemeralContainers'));
  });

  it.each([
    ['v1.36', {}],
    ['v1.20', {}],
    ['v1.20', { EphemeralContainers: true }],
  ] as const)('lists the steps that the engine runs, in order, for %s with gates %j', (release, gates) => {
    const { steps, gates: defaults } = profileOf(release);
    const run = steps(runtimeGates(defaults, gates)).map(({ point }) => point);
    expect(run).toEqual(syncPodPointsOf(release, gates));
  });
});

describe('syncPod', () => {
  it('ends with an error, but without an event, when the response lacks the sandbox status', async () => {
    const { ctx, dependencies, events, clock } = testStage();
    // The type of the response rules out a missing status, but a runtime may send it.
    dependencies.runtime.podSandboxStatus = () =>
      Promise.resolve(JSON.parse('{}') as Awaited<ReturnType<typeof dependencies.runtime.podSandboxStatus>>);
    const pod = testPod();
    const podStatus = await profileOf('v1.36').getPodStatusByUID(ctx, dependencies, pod);
    const backOff = new Backoff(clock, { initial: 10_000, max: 300_000 });
    const result = await syncPod(ctx, dependencies, {
      pod,
      podStatus,
      pullSecrets: [],
      backOff,
      restartAllContainers: false,
    });
    expect(result.error()?.message).toBe('failed to SyncPod: pod sandbox status is nil');
    expect(events).toEqual([]);
  });

  it("ends without an error when the sandbox of a terminating pod can't be created", async () => {
    const { dependencies, events, clock } = testStage();
    const log = new EventLog(clock);
    const ctx = background(clock, new Tracer(log));
    dependencies.runtime.runPodSandbox = () => Promise.reject(new Error('no network'));
    dependencies.helper.isPodTerminationRequested = () => true;
    const pod = testPod();
    const podStatus = await profileOf('v1.36').getPodStatusByUID(ctx, dependencies, pod);
    const backOff = new Backoff(clock, { initial: 10_000, max: 300_000 });
    const result = await syncPod(ctx, dependencies, {
      pod,
      podStatus,
      pullSecrets: [],
      backOff,
      restartAllContainers: false,
    });
    expect([result.error(), events]).toEqual([undefined, []]);
    const failed = ofType(log.after(0), 'spanEnded').filter(({ outcome }) => outcome === 'error');
    const names = new Map(ofType(log.after(0), 'spanStarted').map(({ span, point }) => [span, point]));
    expect(failed.map(({ span }) => names.get(span))).toEqual([]);
    expect(ofType(log.after(0), 'decision').map(({ rule }) => rule)).toContain('createPodSandbox.podTerminating');
    expect([...names.values()]).not.toContain('syncPod.startContainers');
  });

  it('reports the failed sandbox of a terminating pod in v1.20, but has no failed step', async () => {
    const { dependencies, events, clock } = testStage({ dependencies: { profile: profileOf('v1.20') } });
    const log = new EventLog(clock);
    const ctx = background(clock, new Tracer(log));
    dependencies.runtime.runPodSandbox = () => Promise.reject(new Error('no network'));
    dependencies.helper.isPodTerminationRequested = () => true;
    const pod = testPod();
    const podStatus = await profileOf('v1.20').getPodStatusByUID(ctx, dependencies, pod);
    const backOff = new Backoff(clock, { initial: 10_000, max: 300_000 });
    const result = await syncPod(ctx, dependencies, {
      pod,
      podStatus,
      pullSecrets: [],
      backOff,
      restartAllContainers: false,
    });
    expect(result.error()?.message).toMatch(/CreatePodSandboxError/);
    expect(events).toMatchObject([{ type: 'Warning', reason: 'FailedCreatePodSandBox' }]);
    expect(ofType(log.after(0), 'spanEnded').filter(({ outcome }) => outcome === 'error')).toEqual([]);
    expect(ofType(log.after(0), 'decision').map(({ rule }) => rule)).toContain('createPodSandbox.podTerminating');
  });

  it('emits exactly the steps that are needed', async () => {
    const { events } = await report(life([sync]));
    expect(startedPoints(events, 'syncStep')).toEqual([
      'syncPod.computePodActions',
      'syncPod.killPod',
      'syncPod.createPodSandbox',
      'syncPod.onPodSandboxReady',
      'syncPod.startContainers',
    ]);
    const settled = await report(life([sync, sync]));
    expect(startedPoints(settled.events, 'syncStep')).toEqual(['syncPod.computePodActions']);
  });

  it('emits each result once, with its duration, in the step that produced it', async () => {
    const slow: SyncRound = { do: 'delay', method: 'StartContainer', container: 'app', seconds: 3 };
    const { events } = await report(life([slow, sync]));
    expect(
      ofType(events, 'syncResult').map(({ action, target, error, duration }) => [action, target, error, duration]),
    ).toEqual([
      ['KillPodSandbox', 'uid-1', undefined, 0],
      ['CreatePodSandbox', 'web_default(uid-1)', undefined, 0],
      ['StartContainer', 'app', undefined, 3000],
    ]);
    const step = ofType(events, 'spanStarted').find(({ point }) => point === 'syncPod.startContainers');
    expect(ofType(events, 'syncResult').at(-1)?.span).toBe(step?.span);
  });

  it('ends step and sync with the error that stopped them', async () => {
    const { events, last } = await report(
      life([{ do: 'fail', method: 'RunPodSandbox', error: 'no address left' }, sync]),
    );
    const ended = new Map(ofType(events, 'spanEnded').map((event) => [event.span, event]));
    const outcomeOf = (point: string): unknown => {
      const span = ofType(events, 'spanStarted').find((event) => event.point === point)?.span ?? 0;
      const { outcome, error } = ended.get(span) ?? {};
      return [outcome, error?.reason];
    };
    expect(outcomeOf('syncPod.createPodSandbox')).toEqual(['error', 'CreatePodSandboxError']);
    expect(outcomeOf(kuberuntimePoints.syncPod.id)).toEqual(['error', 'CreatePodSandboxError']);
    expect(last).toMatchObject({ syncError: null });
  });

  it('emits the back-off of a container that crashes repeatedly', async () => {
    const crash: SyncRound = { do: 'exit', container: 'app', exitCode: 1 };
    const { events } = await report(life([sync, crash, sync, { do: 'advance', seconds: 5 }, crash, sync]));
    expect(
      ofType(events, 'backOff').map(({ state, container, seconds, since, until }) => [
        state,
        container,
        seconds,
        until - since,
      ]),
    ).toEqual([['waiting', 'app', 10, 10_000]]);
    expect(ofType(events, 'syncResult').map(({ target, error }) => [target, error])).toEqual([
      ['app', 'CrashLoopBackOff'],
    ]);
  });

  it('reports a fault injected into a step as its own error without throwing', async () => {
    const gate: Gate = {
      before: (_ctx, span) =>
        span.point === syncPodPoints.onPodSandboxReady ? Promise.reject(new Error('injected')) : undefined,
      after: () => undefined,
    };
    const { last } = await report(life([sync]), gate);
    expect(last).toMatchObject({ syncError: 'injected', resultError: 'failed to SyncPod: injected' });
  });

  it('keeps registry secrets out of the log', async () => {
    const pullSecrets = [
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { name: 'pull', namespace: 'default', uid: 'u' },
        type: 'kubernetes.io/dockerconfigjson',
        data: {
          '.dockerconfigjson': btoa(
            JSON.stringify({ auths: { 'https://index.docker.io/v1/': { username: 'joe', password: 'hunter2' } } }),
          ),
        },
      },
    ];
    const { events } = await report(life([sync], { images: [], pullSecrets }));
    expect(startedPoints(events, 'cri')).toContain('cri.PullImage');
    expect(
      JSON.stringify(events, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    ).not.toContain('hunter2');
  });
});
