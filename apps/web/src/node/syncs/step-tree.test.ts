import type { FlowOptions } from '@podscope/flow';
import { RunFold, type TraceEvent } from '@podscope/trace';
import { crashLoop, crashLoopPod, EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { flowOptionsOf, type StepNode, stepTree, treeWithoutSync } from './step-tree.ts';
import { latestActing, syncAround, syncInView } from './sync-in-view.ts';

const flow: FlowOptions = { release: 'v1.36', runtime: 'simulated' };
const uid = crashLoopPod.metadata.uid;

function folded(events: readonly TraceEvent[]) {
  const run = new RunFold();
  run.applyAll(events);
  const pod = run.pod(uid);
  if (!pod) throw new Error('the log has no pod');
  const spanOf = (id: number | undefined) => (id === undefined ? undefined : run.span(id));
  return { pod, spanOf };
}

function treeOf(events: readonly TraceEvent[], number?: number, options = flow): readonly StepNode[] {
  const { pod, spanOf } = folded(events);
  const sync = number === undefined ? pod.syncs.at(-1) : pod.syncs[number - 1];
  return sync ? stepTree(options, sync, spanOf, pod) : [];
}

/** Returns the first node with this point, depth first. */
function find(nodes: readonly StepNode[], point: string): StepNode {
  const search = (list: readonly StepNode[]): StepNode | undefined => {
    for (const node of list) {
      const found = node.point === point ? node : node.span || node.decision ? search(node.children) : undefined;
      if (found) return found;
    }
    return undefined;
  };
  const found = search(nodes);
  if (!found) throw new Error(`no step ${point}`);
  return found;
}

const lines = (nodes: readonly StepNode[]): readonly string[] =>
  nodes.map(({ number, point, state }) => `${number === undefined ? '' : `${number} `}${point}: ${state}`);

/** Returns a sync of v1.36 in which the step `Volumes` is still open. */
function stuckInVolumes(): EventScript {
  const log = new EventScript(uid);
  log.open('kubelet.syncLoopIteration', { kind: 'loop' });
  log.open('kubelet.HandlePodAdditions', { kind: 'loop' });
  const cause = log.open('kubelet.UpdatePod', { kind: 'loop' });
  log.close().close().close();
  log.open('kubelet.podWorkerLoop', { kind: 'worker', attributes: { workType: 'sync', causedBy: cause } });
  log.open('kubelet.SyncPod');
  log.open('kubelet.syncPod.recordLatency', { kind: 'kubeletStep' });
  log.close();
  log.open('kubelet.syncPod.makePodDataDirs', { kind: 'kubeletStep' });
  log.close();
  log.open('kubelet.syncPod.waitForVolumes', { kind: 'kubeletStep' });
  log.emit({
    type: 'decision',
    rule: 'volumes.mount',
    facts: { volume: 'settings' },
    outcome: 'failed: configmap "settings" not found',
    decisive: true,
  });
  return log;
}

describe('stepTree', () => {
  const story = crashLoop(2);

  it('has the steps of SyncPod that ran as done and the others as not needed', () => {
    const sync = find(treeOf(story.events, 1), 'kuberuntime.SyncPod');
    expect(lines(sync.children)).toEqual([
      '1 syncPod.computePodActions: done',
      '2 syncPod.killPod: skipped',
      '3 syncPod.killContainers: skipped',
      'kuberuntime.pruneInitContainersBeforeStart: skipped',
      '4 syncPod.createPodSandbox: done',
      'cri.PodSandboxStatus: done',
      '5 syncPod.onPodSandboxReady: skipped',
      'images.EnsureImageExists: skipped',
      '6 syncPod.startEphemeralContainers: skipped',
      '7 syncPod.startInitContainers: done',
      '8 syncPod.resizePodInPlace: skipped',
      '9 syncPod.startContainers: skipped',
    ]);
  });

  it('shows a pod whose volumes are missing as waiting in step 8 of the kubelet, with the reason', () => {
    const tree = treeOf(stuckInVolumes().events);
    const sync = find(tree, 'kubelet.SyncPod');
    expect(lines(sync.children)).toEqual([
      '1 kubelet.syncPod.recordLatency: done',
      '2 kubelet.syncPod.generateAPIPodStatus: skipped',
      '3 kubelet.syncPod.setPodStatus: skipped',
      '4 kubelet.syncPod.checkNetwork: skipped',
      '5 kubelet.syncPod.ensurePodCgroup: skipped',
      '6 kubelet.syncPod.reconcileMirrorPod: skipped',
      '7 kubelet.syncPod.makePodDataDirs: done',
      '8 kubelet.syncPod.waitForVolumes: waiting',
      '9 kubelet.syncPod.getPullSecrets: pending',
      '10 kubelet.syncPod.addPodProbes: pending',
      '11 kubelet.syncPod.runtimeSyncPod: pending',
      '12 kubelet.syncPod.updateReasonCache: pending',
    ]);
    expect(find(tree, 'kubelet.syncPod.waitForVolumes').decision?.outcome).toContain('not found');
  });

  it('places the sync below the iteration and the handler that caused it', () => {
    const path: string[] = [];
    for (let node = treeOf(stuckInVolumes().events)[0]; node; node = node.children.find(({ span }) => span))
      path.push(node.point);
    expect(path.slice(0, 4)).toEqual([
      'kubelet.syncLoopIteration',
      'kubelet.HandlePodAdditions',
      'kubelet.UpdatePod',
      'kubelet.podWorkerLoop',
    ]);
  });

  it('marks the steps after a failed one as not reached', () => {
    const log = stuckInVolumes();
    const error = { reason: 'VolumeTimeoutError', message: 'timed out' };
    log.close(undefined, error).close(undefined, error).close(undefined, error);
    const tree = treeOf(log.events);
    expect(find(tree, 'kubelet.syncPod.waitForVolumes').state).toBe('failed');
    expect(lines(find(tree, 'kubelet.SyncPod').children).at(-1)).toBe(
      '12 kubelet.syncPod.updateReasonCache: unreached',
    );
  });

  it('marks the span at which the worker is stopped', () => {
    const log = stuckInVolumes();
    const { pod } = folded(log.events);
    const span = find(treeOf(log.events), 'kubelet.syncPod.waitForVolumes').span?.id ?? 0;
    log.emit({ type: 'stopped', reason: 'breakpoint', point: 'kubelet.syncPod.waitForVolumes', phase: 'before', span });
    expect(pod.stoppedAt).toBeUndefined();
    expect(find(treeOf(log.events), 'kubelet.syncPod.waitForVolumes').state).toBe('stopped');
  });

  it('shows a step whose container is in back-off as waiting, with the result', () => {
    const step = find(treeOf(story.events), 'syncPod.startContainers');
    expect(step.state).toBe('waiting');
    expect(step.results).toMatchObject([{ action: 'StartContainer', target: 'app', error: 'CrashLoopBackOff' }]);
  });

  it('shows SyncTerminatingPod with the grace period between preStop and StopContainer', () => {
    const log = new EventScript(uid);
    log.open('kubelet.podWorkerLoop', { kind: 'worker', attributes: { workType: 'terminating' } });
    log.open('kubelet.SyncTerminatingPod');
    log.open('kubelet.syncTerminatingPod.killPod', { kind: 'kubeletStep' });
    log.open('kuberuntime.KillPod', { kind: 'sync' });
    log.open('kuberuntime.killContainer', { attributes: { container: 'app' } });
    log.emit({
      type: 'decision',
      rule: 'killContainer.gracePeriod',
      facts: {},
      outcome: '30 seconds to stop',
      decisive: true,
    });
    log.call('StopContainer', 2000, {});
    log.close();
    log.call('StopPodSandbox', 100, {});
    const tree = treeOf(log.events);
    expect(lines(find(tree, 'kubelet.SyncTerminatingPod').children)).toEqual([
      '1 kubelet.syncTerminatingPod.generateAPIPodStatus: skipped',
      '2 kubelet.syncTerminatingPod.killPod: running',
      '3 kubelet.syncTerminatingPod.verifyStopped: pending',
      '4 kubelet.syncTerminatingPod.finalStatus: pending',
    ]);
    expect(lines(find(tree, 'kuberuntime.killContainer').children)).toEqual([
      '1 lifecycle.preStop: skipped',
      '2 killContainer.gracePeriod: done',
      '3 cri.StopContainer: done',
    ]);
    expect(lines(find(tree, 'kuberuntime.KillPod').children)).toEqual([
      'kuberuntime.killContainer: done',
      'cri.StopPodSandbox: done',
    ]);
    expect(lines(find(tree, 'kubelet.podWorkerLoop').children)).toContain('kubelet.SyncPod: skipped');
  });

  it('numbers repeated calls in their keys, and keeps calls that no level lists', () => {
    const log = new EventScript(uid);
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.open('kubelet.SyncPod');
    log.open('syncPod.startContainers');
    for (const container of ['a', 'b']) {
      log.open('kuberuntime.startContainer', { attributes: { container } });
      log.call('ContainerStatus', 1, {}).close();
    }
    const step = find(treeOf(log.events), 'syncPod.startContainers');
    expect(step.children.map(({ key }) => key.split('/').at(-1))).toEqual([
      'kuberuntime.doBackOff',
      'kuberuntime.startContainer',
      'kuberuntime.startContainer#1',
    ]);
    expect(step.children[1]?.children.map(({ point, number }) => `${number} ${point}`)).toContain(
      'undefined cri.ContainerStatus',
    );
  });

  it('keeps the numbers 6 and 7 in v1.20 when the gate of step 5 is off', () => {
    const node: Parameters<typeof flowOptionsOf>[0] = {
      profile: 'v1.20',
      runtime: { name: 'simulator', version: '1', kind: 'sim' },
      steps: [{ id: 'syncPod.computePodActions', step: 1, title: '', description: '' }],
    };
    const log = new EventScript(uid);
    log.open('kuberuntime.SyncPod');
    const [sync] = treeOf(log.events, undefined, flowOptionsOf(node));
    expect(sync?.children.flatMap(({ number, point }) => (number ? `${number} ${point}` : []))).toEqual([
      '1 syncPod.computePodActions',
      '2 syncPod.killPod',
      '3 syncPod.killContainers',
      '4 syncPod.createPodSandbox',
      '6 syncPod.startInitContainers',
      '7 syncPod.startContainers',
    ]);
  });

  it('reads each of 5,000 spans a bounded number of times', () => {
    const log = new EventScript(uid);
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.open('kubelet.SyncPod');
    log.open('syncPod.startContainers');
    for (let count = 0; count < 2_500; count++) {
      log.open('kuberuntime.startContainer', { attributes: { container: `c${count}` } });
      log.call('CreateContainer', 1, {}).close();
    }
    const { pod, spanOf } = folded(log.events);
    const count = (nodes: readonly StepNode[]): number =>
      nodes.reduce((sum, node) => sum + 1 + (node.span ? count(node.children) : 0), 0);
    const [sync] = pod.syncs;
    if (!sync) throw new Error('no sync');
    const reads = new Map<number, number>();
    const counted: typeof spanOf = (id) => {
      if (id !== undefined) reads.set(id, (reads.get(id) ?? 0) + 1);
      return spanOf(id);
    };
    expect(count(stepTree(flow, sync, counted, pod))).toBeGreaterThan(5_000);
    expect(Math.max(...reads.values())).toBeLessThan(20);
  });
});

describe('stepTree of a genuine kubelet', () => {
  /**
   * Returns the events of a sync with the given verdict, in which the shadow engine predicted a call that the kubelet
   * did not make.
   */
  const predictedOnly = (verdict: string): readonly TraceEvent[] => {
    const error = { reason: 'Unavailable', message: 'the kubelet did not make this call: RunPodSandbox web-0' };
    const log = new EventScript(uid);
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    log.open('kubelet.SyncPod');
    log.open('shadow.RunPodSandbox', { kind: 'criStep' });
    log.close(undefined, error).close(undefined, error);
    return log.close({ verdict, counts: true, missing: 'podStatus', detail: 'the state before the observation' })
      .events;
  };

  it('shows a predicted call as undecidable with the missing input when the verdict is unknown', () => {
    const tree = treeOf(predictedOnly('unknown'));
    for (const point of ['kubelet.SyncPod', 'shadow.RunPodSandbox'])
      expect(find(tree, point)).toMatchObject({ state: 'undecidable', missing: 'the state before the observation' });
    expect(find(tree, 'kubelet.podWorkerLoop').state).toBe('done');
  });

  it('shows it as failed when the sync differs', () => {
    expect(find(treeOf(predictedOnly('differs')), 'shadow.RunPodSandbox')).toMatchObject({
      state: 'failed',
      missing: undefined,
    });
  });
});

describe('treeWithoutSync', () => {
  it.each(['v1.36', 'v1.20'] as const)(
    '%s: leads from the sync loop to the steps of SyncPod, all pending',
    (release) => {
      const found = new Set<string>();
      const visit = (nodes: readonly StepNode[]): void => {
        for (const node of nodes)
          if (node.state === 'pending') {
            found.add(node.point);
            visit(node.children);
          }
      };
      visit(treeWithoutSync({ release }, 'pending'));
      for (const point of [
        'kubelet.UpdatePod',
        'kubelet.syncPod.waitForVolumes',
        'syncPod.createPodSandbox',
        'cri.RunPodSandbox',
      ])
        expect(found).toContain(point);
      expect(found).not.toContain('kubelet.SyncTerminatingPod');
    },
  );
});

describe('the sync to show', () => {
  const story = crashLoop(2);
  const { pod, spanOf } = folded(story.events);
  const last = pod.syncs.length;
  const spanAt = (point: string): number | undefined => {
    const event = story.events.find((each) => each.type === 'spanStarted' && each.point === point);
    return event?.span;
  };

  it('contains the selected call', () => {
    expect(syncAround(pod, spanOf, spanAt('cri.RunPodSandbox'))?.number).toBe(1);
    expect(syncAround(pod, spanOf, spanAt('kubelet.podWorkerLoop'))?.number).toBe(1);
  });

  it('is the one that a selected handler caused', () => {
    const log = stuckInVolumes();
    const { pod: stuck, spanOf: at } = folded(log.events);
    expect(syncAround(stuck, at, 2)?.number).toBe(1);
  });

  it('is the requested one, then that of the selection, then the latest', () => {
    const number = (sync?: number, span?: number, time?: number) =>
      syncInView(pod, spanOf, { number: sync, span, time })?.number;
    const call = spanAt('cri.RunPodSandbox');
    expect([number(), number(2), number(undefined, call), number(2, call), number(999)]).toEqual([last, 2, 1, 2, last]);
    expect(number(undefined, undefined, pod.syncs[1]?.start)).toBe(2);
  });

  it('is the latest that did something when later ones changed nothing', () => {
    const log = crashLoop(2);
    for (let count = 0; count < 3; count++) {
      log.open('kubelet.podWorkerLoop', { kind: 'worker' });
      log.open('kuberuntime.SyncPod');
      log.close().close();
    }
    const { pod: quiet } = folded(log.events);
    expect(quiet.syncs).toHaveLength(last + 3);
    expect(latestActing(quiet)?.number).toBe(last);
  });

  it('is the running one, even if it has not changed anything yet', () => {
    const log = crashLoop(2);
    log.open('kubelet.podWorkerLoop', { kind: 'worker' });
    expect(latestActing(folded(log.events).pod)?.number).toBe(last + 1);
  });
});
