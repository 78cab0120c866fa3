import type { PodStatus as ApiPodStatus, Pod } from '@podscope/k8s';
import { background, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { featureGates } from '../../features.ts';
import { type Measure, Measures } from '../../metrics/measures.ts';
import { PodManager } from '../../pod/pod-manager.ts';
import { FakeApi, newPod } from '../../testing/kubelet-harness.ts';
import { normalizeStatus } from './normalize-status.ts';
import { StatusManager } from './status-manager.ts';
import { statusManagerV136 } from './status-manager-profile.ts';
import { statusManagerV120 } from './v1-20/status-manager-profile.ts';

describe('StatusManager', () => {
  let clock: VirtualClock;
  let api: FakeApi;
  let pods: PodManager;
  let manager: StatusManager;
  let log: EventLog;
  let couldRun: boolean;
  let controller: AbortController;
  let running: Promise<void>;
  let pod: Pod;
  let measures: Measures;

  const ctx = () => background(clock, new Tracer(log), 'main', controller.signal);
  const ready: ApiPodStatus = {
    phase: 'Running',
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime: null },
      { type: 'ContainersReady', status: 'True', lastTransitionTime: null },
    ],
    containerStatuses: [
      {
        name: 'app',
        ready: true,
        started: true,
        restartCount: 0,
        image: '',
        imageID: '',
        containerID: 'fake://a',
        state: { running: {} },
        lastState: {},
      },
    ],
  };
  const terminated = (exitCode: number): ApiPodStatus => ({
    ...ready,
    containerStatuses: [
      { ...ready.containerStatuses?.[0], name: 'app', state: { terminated: { exitCode } } },
    ] as ApiPodStatus['containerStatuses'],
  });
  const stored = (): ApiPodStatus => api.pods.get('web')?.status ?? {};
  const condition = (type: string) => stored().conditions?.find((candidate) => candidate.type === type);

  beforeEach(() => {
    clock = new VirtualClock();
    log = new EventLog(clock);
    api = new FakeApi();
    pods = new PodManager();
    couldRun = false;
    measures = new Measures();
    controller = new AbortController();
    api.onChange = () => {
      for (const changed of api.list()) pods.update(changed);
    };
    manager = new StatusManager({
      profile: statusManagerV136,
      podResourcesAreReclaimed: () => true,
      client: api,
      podManager: pods,
      podCouldHaveRunningContainers: () => couldRun,
      gates: featureGates(),
      measures,
    });
    pod = newPod('web');
    api.apply(pod);
    running = manager.run(ctx());
  });

  afterEach(async () => {
    controller.abort();
    await running;
  });

  it('writes a new status at once, with start and transition times', async () => {
    manager.setPodStatus(ctx(), pod, ready);
    await clock.settle();
    expect(stored()).toMatchObject({ phase: 'Running', startTime: '2026-01-01T00:00:00Z' });
    expect(condition('Ready')?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
    await clock.advance(60_000);
    manager.setPodStatus(ctx(), pod, {
      ...ready,
      conditions: [{ type: 'Ready', status: 'False', reason: 'ContainersNotReady' }],
    });
    await clock.settle();
    expect(condition('Ready')?.lastTransitionTime).toBe('2026-01-01T00:01:00Z');
    expect(stored().startTime).toBe('2026-01-01T00:00:00Z');
  });

  it('measures each end of a container that a status shows, once', () => {
    const taken: Measure[] = [];
    measures.subscribe((measure) => taken.push(measure));
    const exited = terminated(3);
    for (const status of [ready, exited, exited, ready, { ...exited, message: 'again' }])
      manager.setPodStatus(ctx(), pod, status);
    const termination = { of: 'termination', container: 'container', exitCode: 3, reason: '' };
    expect(taken).toEqual([termination, termination]);
  });

  it('writes DisruptionTarget once the containers have stopped, with that time', async () => {
    const failed: ApiPodStatus = {
      phase: 'Failed',
      reason: 'Terminated',
      conditions: [{ type: 'DisruptionTarget', status: 'True', reason: 'TerminationByKubelet' }],
    };
    couldRun = true;
    manager.setPodStatus(ctx(), pod, failed);
    await clock.settle();
    expect(condition('DisruptionTarget')).toBeUndefined();
    expect(manager.getPodStatus('uid-web')?.conditions?.[0]?.lastTransitionTime).toBe('2026-01-01T00:00:00Z');
    couldRun = false;
    await clock.advance(10_000);
    expect(condition('DisruptionTarget')).toMatchObject({
      reason: 'TerminationByKubelet',
      lastTransitionTime: '2026-01-01T00:00:10Z',
    });
  });

  it('never writes an older observed generation', () => {
    const at = (generation: number): Pod => ({ ...pod, metadata: { ...pod.metadata, generation } });
    manager.setPodStatus(ctx(), at(3), ready);
    manager.setPodStatus(ctx(), at(2), { ...ready, phase: 'Pending' });
    expect(manager.getPodStatus('uid-web')).toMatchObject({ phase: 'Pending', observedGeneration: 3 });
  });

  it('drops an unchanged status', async () => {
    manager.setPodStatus(ctx(), pod, ready);
    await clock.settle();
    const before = log.lastSeq;
    await clock.advance(30_000);
    manager.setPodStatus(ctx(), pod, ready);
    await clock.advance(30_000);
    expect(log.lastSeq).toBe(before);
  });

  it('keeps conditions of other owners and restores its own fields after a foreign change', async () => {
    api.apply({ ...pod, status: { conditions: [{ type: 'example.com/gate', status: 'True' }] } });
    manager.setPodStatus(ctx(), pod, ready);
    await clock.settle();
    expect(condition('example.com/gate')?.status).toBe('True');
    api.apply({ ...pod, status: { ...stored(), phase: 'Unknown' } });
    await clock.advance(10_000);
    expect(stored().phase).toBe('Running');
  });

  it('ignores a running state of an ended container that may not restart', async () => {
    const never = newPod('web', { restartPolicy: 'Never' });
    manager.setPodStatus(ctx(), never, terminated(1));
    manager.setPodStatus(ctx(), never, ready);
    expect(manager.getPodStatus('uid-web')?.containerStatuses?.[0]?.state?.terminated).toBeDefined();
    const always = newPod('web');
    manager.setPodStatus(ctx(), always, ready);
    expect(manager.getPodStatus('uid-web')?.containerStatuses?.[0]?.state?.running).toBeDefined();
  });

  it('withholds a terminal phase while containers may run', async () => {
    manager.setPodStatus(ctx(), pod, ready);
    await clock.settle();
    couldRun = true;
    manager.setPodStatus(ctx(), pod, { ...terminated(1), phase: 'Failed', reason: 'Evicted' });
    await clock.settle();
    expect(stored()).toMatchObject({ phase: 'Running' });
    expect(stored().reason).toBeUndefined();
    couldRun = false;
    await clock.advance(10_000);
    expect(stored()).toMatchObject({ phase: 'Failed', reason: 'Evicted' });
    expect(condition('Ready')).toMatchObject({ status: 'False', reason: 'PodFailed' });
  });

  it('removes the API object only when the pod was deleted and its content is gone', async () => {
    manager.setPodStatus(ctx(), pod, { ...terminated(0), phase: 'Succeeded' });
    await clock.settle();
    api.delete('web');
    await clock.advance(20_000);
    expect(api.pods.has('web')).toBe(true);
    manager.terminatePod(ctx(), pods.getPodByUID('uid-web') ?? pod);
    await clock.settle();
    expect(api.pods.has('web')).toBe(false);
  });

  it('removes the API object of a finished pod whose status changes again before it is written', async () => {
    api.delete('web');
    const deleted = pods.getPodByUID('uid-web') ?? pod;
    manager.terminatePod(ctx(), deleted);
    manager.setPodStatus(ctx(), deleted, { ...terminated(1), phase: 'Failed' });
    await clock.settle();
    expect(api.pods.has('web')).toBe(false);
  });

  it('reports containers of unknown state as terminated and the pod as failed', async () => {
    manager.setPodStatus(ctx(), pod, ready);
    manager.terminatePod(ctx(), pod);
    expect(manager.getPodStatus('uid-web')).toMatchObject({
      phase: 'Failed',
      containerStatuses: [{ state: { terminated: { exitCode: 137, reason: 'ContainerStatusUnknown' } } }],
    });
  });

  it('applies the result of the readiness probe', async () => {
    manager.setPodStatus(ctx(), pod, ready);
    manager.setContainerReadiness(ctx(), 'uid-web', { type: 'fake', id: 'a' }, false);
    await clock.settle();
    expect(stored().containerStatuses?.[0]?.ready).toBe(false);
    expect(condition('Ready')).toMatchObject({ status: 'False', message: 'containers with unready status: [app]' });
    manager.setContainerStartup(ctx(), 'uid-web', { type: 'fake', id: 'a' }, false);
    expect(manager.getPodStatus('uid-web')?.containerStatuses?.[0]?.started).toBe(false);
  });

  it('writes the status again after a failed write', async () => {
    const patch = api.patchPodStatus.bind(api);
    api.patchPodStatus = () => Promise.reject(new Error('conflict'));
    manager.setPodStatus(ctx(), pod, ready);
    await clock.settle();
    expect(stored().phase).toBeUndefined();
    api.patchPodStatus = patch;
    await clock.advance(10_000);
    expect(stored().phase).toBe('Running');
  });

  it('does not write to another pod of the same name', async () => {
    manager.setPodStatus(ctx(), pod, ready);
    api.pods.set('web', newPod('web', {}, { uid: 'another' }));
    await clock.settle();
    expect(stored().phase).toBeUndefined();
    expect(manager.getPodStatus('uid-web')).toBeUndefined();
  });

  it.each([
    ['x', 'x'.repeat(12_288)],
    ['界', '界'.repeat(4096)],
    ['ab界', `${'ab界'.repeat(2457)}ab\ufffd`],
  ])('truncates a long termination message of %s to 12,288 bytes', (part, truncated) => {
    const message = part.repeat(20_000);
    const status = terminated(1);
    const [container] = status.containerStatuses ?? [];
    manager.setPodStatus(ctx(), pod, {
      ...status,
      containerStatuses: [{ ...container!, state: { terminated: { exitCode: 1, message } } }],
    });
    expect(manager.getPodStatus('uid-web')?.containerStatuses?.[0]?.state?.terminated?.message).toBe(truncated);
  });

  it.each([
    ['v1.36', statusManagerV136, 4096],
    ['v1.20', statusManagerV120, 6144],
  ] as const)('divides the limit of termination messages by the containers of a pod (%s)', (_, profile, length) => {
    const debug = { name: 'debug', image: 'busybox:1.36' };
    const spec = {
      ...pod.spec,
      initContainers: [{ name: 'init', image: 'busybox:1.36' }],
      ephemeralContainers: [debug],
    };
    const message = 'x'.repeat(20_000);
    const cut = normalizeStatus(
      { containerStatuses: [{ ...ready.containerStatuses![0]!, lastState: { terminated: { exitCode: 1, message } } }] },
      profile.messageShares({ ...pod, spec }),
    );
    expect(cut.containerStatuses?.[0]?.lastState?.terminated?.message).toHaveLength(length);
  });
});
