import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../events/event.ts';
import { traceEventSchema } from '../events/event-schema.ts';
import { describePodForPeople } from './describe-pod.ts';
import { RunFold } from './run-fold.ts';
import { crashLoop, crashLoopPod, EventScript } from './testing/index.ts';
import type { ContainerTrack, PodTrack } from './tracks.ts';

const folded = (events: readonly TraceEvent[]): RunFold => {
  const fold = new RunFold();
  fold.applyAll(events);
  return fold;
};

const podIn = (fold: RunFold): PodTrack => {
  const [pod] = fold.pods();
  if (!pod) throw new Error('no pod');
  return pod;
};

const container = (pod: PodTrack, name: string): ContainerTrack => {
  const track = pod.containers.find((candidate) => candidate.name === name);
  if (!track) throw new Error(`no container ${name}`);
  return track;
};

/** Returns all data that a view can read. */
const picture = (fold: RunFold) => ({
  pods: fold.pods(),
  spans: fold.pods().flatMap((pod) => pod.syncs.map(({ span }) => fold.span(span))),
  lastSeq: fold.lastSeq,
  lastTime: fold.lastTime,
});

const podUid = crashLoopPod.metadata.uid;

/** Returns the log of a pod with one running container. */
const begun = (): EventScript => {
  const log = new EventScript(podUid);
  log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
  log.call('RunPodSandbox', 10, { config: { metadata: { attempt: 0, uid: podUid } } }, { podSandboxId: 's' });
  log.call(
    'CreateContainer',
    10,
    { podSandboxId: 's', config: { metadata: { name: 'app', attempt: 0 } } },
    { containerId: 'c' },
  );
  return log.call('StartContainer', 10, { containerId: 'c' });
};

describe('RunFold', () => {
  it('makes no pod of events about a sandbox whose pod is unknown', () => {
    const log = new EventScript('');
    log.call('PodSandboxStatus', 1, { podSandboxId: 's' });
    expect(folded(log.events).pods()).toEqual([]);
  });
});

describe('RunFold on the log of a genuine kubelet', () => {
  const status = { id: 'c', state: 'CONTAINER_EXITED', metadata: { name: 'app', attempt: 0 }, finishedAt: '5000000' };
  const inferred = { source: 'cri', inferred: true };
  const observed = (log: EventScript): PodTrack =>
    podIn(folded(log.events.map((event) => ({ ...event, source: 'cri' as const }))));
  const appIn = (log: EventScript) => container(observed(log), 'app').attempts[0];

  it('names the calls as the source of an attempt', () => {
    expect(appIn(begun())).toMatchObject({ state: 'running', source: 'cri', inferred: false });
    expect(observed(begun()).sandbox.attempts).toMatchObject([{ source: 'cri', inferred: false }]);
  });

  it('infers the exit from StopContainer, until a status shows it', () => {
    const log = begun();
    log.call('StopContainer', 10, { containerId: 'c' });
    expect(appIn(log)).toMatchObject({ state: 'exited', finishedFrom: inferred });
    log.call('ContainerStatus', 1, { containerId: 'c' }, { status });
    expect(appIn(log)).toMatchObject({ finishedAt: 5, finishedFrom: { source: 'cri', inferred: false } });
  });

  it.each(['StopContainer', 'RemoveContainer'])('infers only the exit from %s, not the observed start', (method) => {
    const log = begun();
    log.call(method, 10, { containerId: 'c' });
    expect(appIn(log)).toMatchObject({ source: 'cri', inferred: false, finishedFrom: inferred });
  });

  it('keeps an exit inferred when the next observation has no time of the exit', () => {
    const log = begun();
    log.call('StopContainer', 10, { containerId: 'c' });
    const { finishedAt } = appIn(log) ?? {};
    log.call('ContainerStatus', 1, { containerId: 'c' }, { status: { ...status, finishedAt: '0' } });
    expect(appIn(log)).toMatchObject({ finishedAt, inferred: false, finishedFrom: inferred });
    log.call('RemoveContainer', 10, { containerId: 'c' });
    expect(appIn(log)).toMatchObject({ state: 'removed', finishedAt, finishedFrom: inferred });
  });

  it('infers the exit of a container that no longer exists', () => {
    const log = begun();
    const gone = { object: 'container', id: 'c', name: 'app', attempt: 0, from: 'running', to: 'nonexistent' } as const;
    log.emit({ type: 'runtimeStateChanged', ...gone });
    expect(appIn(log)).toMatchObject({ state: 'removed', finishedFrom: inferred });
  });

  it('keeps the sources of back-offs and Kubernetes events', () => {
    const { events } = crashLoop(2);
    const pod = podIn(folded(events.map((event) => ({ ...event, source: 'shadow' as const, inferred: true }))));
    const from = { source: 'shadow', inferred: true };
    expect(pod.events.at(-1)).toMatchObject(from);
    expect(pod.containers.flatMap(({ backOffs }) => backOffs).at(-1)).toMatchObject(from);
  });

  it('has no source for facts of the kubelet here', () => {
    const pod = podIn(folded(crashLoop(2).events));
    const facts = [...pod.events, ...pod.containers.flatMap(({ attempts, backOffs }) => [...attempts, ...backOffs])];
    expect(facts.filter(({ source }) => source !== undefined)).toEqual([]);
  });
});

describe('RunFold on a sandbox', () => {
  const config = { metadata: { attempt: 0, uid: podUid } };
  const status = (state: string) => ({ status: { id: 's', state, metadata: { attempt: 0 } } });

  it('shows it running when a relist saw it not ready during its creation', () => {
    const log = new EventScript(podUid);
    log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
    log.open('cri.RunPodSandbox', { attributes: { request: { config } } });
    log.call('PodSandboxStatus', 1, { podSandboxId: 's' }, status('SANDBOX_NOTREADY'));
    expect(podIn(folded(log.events)).sandbox.attempts[0]?.state).toBe('created');
    log.close({ response: { podSandboxId: 's' } });
    expect(podIn(folded(log.events)).sandbox.attempts[0]?.state).toBe('running');
  });

  it('shows it exited when it is not ready after its creation', () => {
    const log = begun().call('PodSandboxStatus', 1, { podSandboxId: 's' }, status('SANDBOX_NOTREADY'));
    expect(podIn(folded(log.events)).sandbox.attempts[0]?.state).toBe('exited');
  });
});

describe('RunFold on a crash loop', () => {
  const story = crashLoop(4);
  const fold = folded(story.events);
  const pod = podIn(fold);

  it('consists of valid events', () => {
    for (const event of story.events) expect(traceEventSchema.safeParse(event).error).toBeUndefined();
  });

  it('lists the containers of the spec in order, with their types', () => {
    expect([pod.namespace, pod.name]).toEqual(['default', 'web-0']);
    expect(pod.containers.map(({ name, type }) => [name, type])).toEqual([
      ['migrate', 'init'],
      ['proxy', 'sidecar'],
      ['app', 'container'],
    ]);
  });

  it('lists a sandbox attempt with its IP address', () => {
    expect(pod.sandbox.attempts).toMatchObject([{ id: 'f00d', attempt: 0, state: 'running', ip: '10.88.0.7' }]);
    expect(pod.sandbox.activities).toMatchObject([{ kind: 'create', outcome: 'ok' }]);
  });

  it('lists each attempt of the container with the exit that the runtime reported', () => {
    expect(
      container(pod, 'app').attempts.map(({ attempt, state, exitCode, reason }) => [attempt, state, exitCode, reason]),
    ).toEqual([0, 1, 2, 3].map((attempt) => [attempt, 'exited', 1, 'Error']));
    for (const { createdAt, startedAt, finishedAt } of container(pod, 'app').attempts) {
      expect(createdAt).toBeLessThanOrEqual(startedAt ?? 0);
      expect(startedAt).toBeLessThan(finishedAt ?? 0);
    }
  });

  it('lists the back-offs, ended by the start after them', () => {
    const backOffs = container(pod, 'app').backOffs;
    expect(backOffs.map(({ seconds, waiting }) => [seconds, waiting])).toEqual([
      [10, true],
      [20, true],
      [40, true],
    ]);
    expect(backOffs.map(({ endedAt, until }) => endedAt !== undefined && endedAt >= until)).toEqual([
      true,
      true,
      false,
    ]);
    expect(backOffs[2]?.endedAt).toBeUndefined();
  });

  it('shows the pull with its progress on its container', () => {
    const [pull] = container(pod, 'app').activities;
    expect(pull).toMatchObject({ kind: 'pull', outcome: 'ok', progress: 1, detail: 'shop/web:2.4.1' });
    expect(pull?.layers).toHaveLength(2);
  });

  it('lists the iterations of the pod worker as syncs, with SyncPod and their results', () => {
    expect(pod.syncs.map(({ number }) => number)).toEqual(pod.syncs.map((_, at) => at + 1));
    expect(pod.syncs.map(({ span }) => fold.span(span)?.kind)).toEqual(pod.syncs.map(() => 'worker'));
    expect(pod.syncs.map(({ runtime }) => fold.span(runtime ?? 0)?.point)).toEqual(
      pod.syncs.map(() => 'kuberuntime.SyncPod'),
    );
    expect(pod.syncs.at(-1)?.results).toMatchObject([
      { action: 'StartContainer', target: 'app', error: 'CrashLoopBackOff' },
    ]);
    const [compute] = fold.span(pod.syncs[0]?.runtime ?? 0)?.children ?? [];
    expect(fold.span(compute ?? 0)?.decisions).toMatchObject([{ rule: 'computePodActions.sandboxChanged' }]);
  });

  it('marks a sync as acting when it wrote, reported a failed result, terminated the pod or failed', () => {
    const log = new EventScript(podUid);
    const pass = (body: () => void, error?: { reason: string; message: string }): void => {
      log.open('kubelet.podWorkerLoop', { kind: 'worker' });
      body();
      log.close(undefined, error);
    };
    const runtime = (method: string): void => {
      log.open('kuberuntime.SyncPod');
      log.call(method, 1, {}).close();
    };
    pass(() => runtime('ContainerStatus'));
    pass(() => log.emit({ type: 'syncResult', action: 'ConfigPodSandbox', target: 'app' }));
    pass(() => runtime('CreateContainer'));
    pass(() => log.emit({ type: 'syncResult', action: 'StartContainer', target: 'app', error: 'CrashLoopBackOff' }));
    pass(() => {
      log.open('kubelet.SyncTerminatedPod');
      log.close();
    });
    pass(() => undefined, { reason: 'VolumeTimeoutError', message: 'timed out' });
    pass(() => undefined);
    const syncs = folded(log.events).pod(podUid)?.syncs ?? [];
    expect(syncs.map(({ acted }) => acted)).toEqual([false, false, true, true, true, true, false]);
    expect(syncs.map(({ runtime }) => runtime !== undefined)).toEqual([true, false, true, false, false, false, false]);
  });

  it('counts calls of the runtime manager outside of a pod worker as syncs', () => {
    const log = new EventScript(podUid);
    log.open('kubelet.podKiller', { kind: 'loop' });
    log.open('kuberuntime.KillPod', { kind: 'sync' });
    log.close().close();
    log.open('kuberuntime.SyncPod');
    log.close();
    expect(folded(log.events).pod(podUid)?.syncs).toMatchObject([
      { number: 1, acted: true },
      { number: 2, acted: false },
    ]);
  });

  it('lists the phases and the reasons for waiting', () => {
    expect(pod.phases.map(({ phase }) => phase)).toEqual(['Pending', 'Running']);
    expect(
      container(pod, 'app')
        .waits.map(({ reason }) => reason)
        .slice(0, 3),
    ).toEqual(['PodInitializing', undefined, 'CrashLoopBackOff']);
  });

  it('is described as by kubectl, with the current back-off', () => {
    const now = story.now;
    const entry = container(pod, 'app').backOffs[2];
    expect(describePodForPeople(pod, now)).toMatchObject({
      status: 'CrashLoopBackOff',
      tone: 'waiting',
      ready: 1,
      total: 2,
      restarts: 3,
      backOff: { container: 'app', seconds: 40, remaining: (entry?.until ?? 0) - now },
    });
  });
});

describe('RunFold in general', () => {
  it('returns the same result for any batches, including repeated events', () => {
    const { events } = crashLoop(3);
    const expected = JSON.stringify(picture(folded(events)));
    fc.assert(
      fc.property(
        fc.array(fc.record({ size: fc.integer({ min: 1, max: 60 }), again: fc.nat({ max: 10 }) }), {
          minLength: 1,
          maxLength: 40,
        }),
        (batches) => {
          const fold = new RunFold();
          let at = 0;
          for (const { size, again } of batches) {
            fold.applyAll(events.slice(Math.max(0, at - again), at + size));
            at += size;
          }
          fold.applyAll(events.slice(Math.min(at, events.length)));
          expect(JSON.stringify(picture(fold))).toBe(expected);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('accepts a log that begins anywhere, and shows the running containers at its end', () => {
    const { events } = crashLoop(3);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: events.length }), (from) => {
        const fold = new RunFold();
        fold.seedPods([crashLoopPod]);
        fold.applyAll(events.slice(from));
        const pod = fold.pod(podUid);
        expect(pod?.containers.map(({ name }) => name)).toEqual(['migrate', 'proxy', 'app']);
        for (const track of pod?.containers ?? [])
          for (const { attempt, id } of track.attempts) expect(id).toBe(`${track.name}-${attempt}`);
      }),
    );
  });

  it('increments only the versions of what changed', () => {
    const { events } = crashLoop(2);
    const fold = folded(events);
    const pod = podIn(fold);
    const before = {
      fold: fold.version,
      pod: pod.version,
      app: container(pod, 'app').version,
      migrate: container(pod, 'migrate').version,
    };
    const backOff = events.find(({ type }) => type === 'backOff');
    fold.apply({ ...backOff, seq: fold.lastSeq + 1, time: 1 } as TraceEvent);
    expect(fold.version).toBe(before.fold + 1);
    expect(pod.version).toBe(before.pod + 1);
    expect(container(pod, 'app').version).toBeGreaterThan(before.app);
    expect(container(pod, 'migrate').version).toBe(before.migrate);
  });

  it('clears everything on reset', () => {
    const { events } = crashLoop(2);
    const fold = folded(events);
    fold.reset();
    expect(fold.pods()).toEqual([]);
    fold.applyAll(events);
    expect(JSON.stringify(picture(fold))).toBe(JSON.stringify(picture(folded(events))));
  });

  it('applies an event in microseconds regardless of the number of earlier events', () => {
    const { events } = crashLoop(700);
    const started = process.cpuUsage();
    folded(events);
    expect(events.length).toBeGreaterThan(20_000);
    expect(process.cpuUsage(started).user / events.length).toBeLessThan(50);
  });
});

describe('RunFold with contradictory observations', () => {
  const change = { type: 'runtimeStateChanged', object: 'container', id: 'c', name: 'app', attempt: 0 } as const;

  it('prefers the times of the runtime over those of the calls', () => {
    const log = begun();
    log.emit({ ...change, from: 'nonexistent', to: 'running', createdAt: log.now - 15, startedAt: log.now - 4 });
    expect(container(podIn(folded(log.events)), 'app').attempts).toMatchObject([
      { state: 'running', createdAt: log.now - 15, startedAt: log.now - 4 },
    ]);
  });

  it('keeps a stopped container stopped after an outdated observation', () => {
    const log = begun().call('StopContainer', 30, { containerId: 'c', timeout: 30 });
    const stoppedAt = log.now;
    log.wait(5).emit({ ...change, from: 'created', to: 'running', startedAt: log.startedAt + 30 });
    const [attempt] = container(podIn(folded(log.events)), 'app').attempts;
    expect(attempt).toMatchObject({ state: 'exited', finishedAt: stoppedAt });
    log.emit({
      ...change,
      from: 'running',
      to: 'exited',
      finishedAt: stoppedAt - 3,
      exitCode: 137,
      reason: 'OOMKilled',
    });
    expect(container(podIn(folded(log.events)), 'app').attempts).toMatchObject([
      { state: 'exited', finishedAt: stoppedAt - 3, exitCode: 137, reason: 'OOMKilled' },
    ]);
  });

  it('shows a container that was restarted outside of the kubelet', () => {
    const log = begun().wait(10);
    log.emit({ ...change, from: 'running', to: 'exited', finishedAt: log.now, exitCode: 0 });
    log.wait(50).emit({ ...change, from: 'exited', to: 'running', startedAt: log.now });
    expect(container(podIn(folded(log.events)), 'app').attempts).toMatchObject([
      { state: 'running', finishedAt: undefined, exitCode: undefined },
    ]);
  });

  it('reads status responses with times as bigint or as text', () => {
    for (const nanoseconds of [(ms: number) => BigInt(ms) * 1_000_000n, (ms: number) => `${ms}000000`]) {
      const log = begun();
      const status = {
        id: 'c',
        metadata: { name: 'app', attempt: 0 },
        state: 'CONTAINER_EXITED',
        exitCode: 3,
        reason: 'Error',
      };
      const finishedAt = log.now + 2;
      log
        .wait(5)
        .call(
          'ContainerStatus',
          1,
          {},
          { status: { ...status, startedAt: nanoseconds(log.now - 9), finishedAt: nanoseconds(finishedAt) } },
        );
      expect(container(podIn(folded(log.events)), 'app').attempts).toMatchObject([
        { state: 'exited', finishedAt, exitCode: 3, reason: 'Error' },
      ]);
    }
  });

  it('shows a start that failed before it reached the runtime', () => {
    const log = begun();
    log.open('kuberuntime.startContainer', { attributes: { container: 'app' } });
    log.wait(3).close(undefined, { reason: 'CreateContainerConfigError', message: 'configmap "web" not found' });
    expect(container(podIn(folded(log.events)), 'app').activities.at(-1)).toMatchObject({
      kind: 'create',
      outcome: 'error',
      detail: 'CreateContainerConfigError',
    });
  });

  it('shows where the pod worker is stopped', () => {
    const log = begun();
    log.open('syncPod.startContainers');
    log.emit({ type: 'stopped', reason: 'breakpoint', point: 'syncPod.startContainers', phase: 'before' });
    const held = podIn(folded(log.events));
    expect(held.stoppedAt).toMatchObject({ point: 'syncPod.startContainers', phase: 'before' });
    expect(describePodForPeople(held, log.now).tone).toBe('stopped');
    log.wait(500).emit({ type: 'continued' });
    const freed = podIn(folded(log.events));
    expect(freed.stoppedAt).toBeUndefined();
    expect(freed.stops).toMatchObject([{ start: log.now - 500, end: log.now }]);
  });

  it('ends the back-off on a reset', () => {
    const log = begun();
    const entry = {
      type: 'backOff',
      kind: 'image',
      key: 'k',
      container: 'app',
      seconds: 10,
      since: log.now,
      until: log.now + 10_000,
    } as const;
    log.emit({ ...entry, state: 'waiting' }).wait(100);
    log.emit({ ...entry, state: 'reset' });
    expect(container(podIn(folded(log.events)), 'app').backOffs).toMatchObject([{ waiting: true, endedAt: log.now }]);
  });
});
