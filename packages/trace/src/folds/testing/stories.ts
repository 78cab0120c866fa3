/** Provides runs of a pod that were written by hand, with the events that a kubelet would log. */
import { EventScript } from './event-script.ts';

const uid = '6f1c2a60-0d4e-4a52-9a3e-8c1f7b1f2d10';

/** The pod of {@link crashLoop}: an init container, a sidecar, and an app container that exits repeatedly. */
export const crashLoopPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web-0', namespace: 'default', uid, creationTimestamp: '2026-01-05T09:00:00Z' },
  spec: {
    initContainers: [
      { name: 'migrate', image: 'busybox:1.36' },
      { name: 'proxy', image: 'envoy:1.30', restartPolicy: 'Always' },
    ],
    containers: [{ name: 'app', image: 'shop/web:2.4.1' }],
  },
};

const sandbox = 'f00d';
const sandboxConfig = { metadata: { name: 'web-0', uid, namespace: 'default', attempt: 0 } };

function pull(log: EventScript, container: string, image: string, ms: number): void {
  log.open('images.EnsureImageExists', { attributes: { container, image } });
  log.emit({
    type: 'kubernetesEvent',
    eventType: 'Normal',
    reason: 'Pulling',
    message: `Pulling image "${image}"`,
    container,
    count: 1,
  });
  log.open('cri.PullImage', { attributes: { request: { image: { image }, sandboxConfig } } });
  for (let step = 1; step <= 8; step++) {
    log.wait(ms / 8).emit({
      type: 'pullProgress',
      image,
      layers: [
        { id: 'a1', status: step > 3 ? 'Pull complete' : 'Downloading', current: step * 2_000_000, total: 6_000_000 },
        { id: 'b2', status: step > 7 ? 'Pull complete' : 'Downloading', current: step * 5_000_000, total: 40_000_000 },
      ],
    });
  }
  log.close({ response: { imageRef: `sha256:${image}` } }).close();
  log.emit({
    type: 'kubernetesEvent',
    eventType: 'Normal',
    reason: 'Pulled',
    message: `Successfully pulled image "${image}"`,
    container,
    count: 1,
  });
}

function start(log: EventScript, container: string, image: string, attempt: number): string {
  const containerId = `${container}-${attempt}`;
  log.call(
    'CreateContainer',
    60,
    { podSandboxId: sandbox, config: { metadata: { name: container, attempt }, image: { image } }, sandboxConfig },
    { containerId },
  );
  log.emit({
    type: 'kubernetesEvent',
    eventType: 'Normal',
    reason: 'Created',
    message: `Created container ${container}`,
    container,
    count: attempt + 1,
  });
  log.call('StartContainer', 180, { containerId });
  log.emit({
    type: 'kubernetesEvent',
    eventType: 'Normal',
    reason: 'Started',
    message: `Started container ${container}`,
    container,
    count: attempt + 1,
  });
  return containerId;
}

type SyncBody = (step: (id: string, body: () => void) => void) => void;

/** Adds a sync of the pod worker. It contains a call of SyncPod. */
function sync(log: EventScript, body: SyncBody): void {
  log.open('kubelet.podWorkerLoop', { kind: 'worker', title: 'Pod worker' });
  log.open('kubelet.SyncPod', { title: 'syncPod' });
  log.wait(2).open('kubelet.syncPod.waitForVolumes', { kind: 'kubeletStep', title: 'Mount volumes' });
  log.wait(9).close();
  log.open('kubelet.syncPod.runtimeSyncPod', { kind: 'kubeletStep', title: 'Runtime SyncPod' });
  log.open('kuberuntime.SyncPod');
  log.open('syncPod.computePodActions');
  log.wait(3).emit({
    type: 'decision',
    rule: 'computePodActions.sandboxChanged',
    facts: { sandboxes: 1 },
    outcome: 'unchanged',
    decisive: true,
  });
  log.wait(2).close();
  body((id, run) => {
    log.open(`syncPod.${id}`);
    log.wait(1);
    run();
    log.wait(1).close();
  });
  log.wait(1).close();
  log.close().wait(4).close().close();
}

function startApp(log: EventScript, attempt: number): void {
  sync(log, (step) =>
    step('startContainers', () => {
      log.open('kuberuntime.startContainer', { attributes: { container: 'app' } });
      if (attempt === 0) pull(log, 'app', 'shop/web:2.4.1', 3200);
      start(log, 'app', 'shop/web:2.4.1', attempt);
      log.close();
      log.emit({ type: 'syncResult', action: 'StartContainer', target: 'app', duration: 240 });
    }),
  );
}

function appStatus(log: EventScript, restartCount: number, state: Record<string, unknown>): void {
  log.emit({
    type: 'podStatus',
    status: {
      phase: 'Running',
      conditions: [{ type: 'Initialized', status: 'True' }],
      initContainerStatuses: [
        { name: 'migrate', restartCount: 0, ready: true, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
        { name: 'proxy', restartCount: 0, ready: true, started: true, state: { running: {} } },
      ],
      containerStatuses: [{ name: 'app', restartCount, ready: 'running' in state, state }],
    },
  });
}

/**
 * Returns the back-off in seconds after the failure with this number, from 0. The first back-off is 0; the next one is
 * 10 and doubles up to 300.
 */
const backOffSeconds = (failure: number): number => (failure === 0 ? 0 : Math.min(300, 10 * 2 ** (failure - 1)));

/**
 * Returns the log of a pod whose app container exits with code 1 after a few seconds.
 * @param failures how many times it exits; the log ends in the middle of the last back-off
 */
export function crashLoop(failures = 4): EventScript {
  const log = new EventScript(uid);
  log.emit({ type: 'podChanged', operation: 'ADDED', object: crashLoopPod });
  log.emit({
    type: 'podStatus',
    status: {
      phase: 'Pending',
      containerStatuses: [{ name: 'app', state: { waiting: { reason: 'PodInitializing' } } }],
    },
  });
  log.wait(40);
  sync(log, (step) => {
    step('createPodSandbox', () =>
      log.call('RunPodSandbox', 780, { config: sandboxConfig }, { podSandboxId: sandbox }),
    );
    log.call(
      'PodSandboxStatus',
      4,
      { podSandboxId: sandbox },
      {
        status: { id: sandbox, state: 'SANDBOX_READY', metadata: sandboxConfig.metadata, network: { ip: '10.88.0.7' } },
      },
    );
    step('startInitContainers', () => {
      log.open('kuberuntime.startContainer', { attributes: { container: 'migrate' } });
      pull(log, 'migrate', 'busybox:1.36', 900);
      start(log, 'migrate', 'busybox:1.36', 0);
      log.close();
    });
  });
  log.wait(1400).emit({
    type: 'runtimeStateChanged',
    object: 'container',
    id: 'migrate-0',
    name: 'migrate',
    attempt: 0,
    containerType: 'init',
    from: 'running',
    to: 'exited',
    finishedAt: log.now - 300,
    exitCode: 0,
    reason: 'Completed',
  });
  log.wait(20);
  sync(log, (step) =>
    step('startInitContainers', () => {
      log.open('kuberuntime.startContainer', { attributes: { container: 'proxy' } });
      pull(log, 'proxy', 'envoy:1.30', 1500);
      start(log, 'proxy', 'envoy:1.30', 0);
      log.close();
    }),
  );
  log.wait(700);
  for (let failure = 0; failure < failures; failure++) {
    startApp(log, failure);
    appStatus(log, failure, { running: {} });
    log.wait(2600 + 300 * failure);
    const finishedAt = log.now;
    log.wait(350).emit({
      type: 'runtimeStateChanged',
      object: 'container',
      id: `app-${failure}`,
      name: 'app',
      attempt: failure,
      containerType: 'container',
      from: 'running',
      to: 'exited',
      startedAt: finishedAt - 2600 - 300 * failure,
      finishedAt,
      exitCode: 1,
      reason: 'Error',
    });
    const seconds = backOffSeconds(failure);
    if (seconds === 0) continue;
    const entry = {
      type: 'backOff',
      kind: 'container',
      key: `app_${uid}`,
      container: 'app',
      seconds,
      since: finishedAt,
      until: finishedAt + seconds * 1000,
    } as const;
    sync(log, (step) =>
      step('startContainers', () => {
        log.open('kuberuntime.startContainer', { attributes: { container: 'app' } });
        log.emit({ ...entry, state: 'waiting' });
        log.emit({
          type: 'kubernetesEvent',
          eventType: 'Warning',
          reason: 'BackOff',
          message: 'Back-off restarting failed container app',
          container: 'app',
          count: failure,
        });
        log.close(undefined, {
          reason: 'CrashLoopBackOff',
          message: `back-off ${seconds}s restarting failed container=app`,
        });
        log.emit({
          type: 'syncResult',
          action: 'StartContainer',
          target: 'app',
          error: 'CrashLoopBackOff',
          message: `back-off ${seconds}s restarting failed container=app`,
        });
      }),
    );
    appStatus(log, failure, {
      waiting: { reason: 'CrashLoopBackOff', message: `back-off ${seconds}s restarting failed container=app` },
    });
    if (failure < failures - 1) log.at(entry.until - log.startedAt + 900);
    else log.at(finishedAt + seconds * 400 - log.startedAt);
  }
  return log;
}
