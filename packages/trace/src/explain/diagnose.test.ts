/** Checks the explanation of every failure that a kubelet reports: its words, evidence and next command. */
import { describe, expect, it } from 'vitest';
import { RunFold } from '../folds/run-fold.ts';
import { EventScript } from '../folds/testing/index.ts';
import { diagnosePod } from './diagnose.ts';
import type { Diagnosis } from './pod-facts.ts';
import { inEnglish } from './text.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Story {
  readonly spec?: Fields;
  readonly metadata?: Fields;
  /** Fields of container app. */
  readonly container?: Fields;
  readonly init?: Fields;
  readonly state?: Fields;
  readonly lastState?: Fields;
  readonly restartCount?: number;
  readonly status?: Fields;
  readonly initStatus?: Fields;
  readonly emitEvents?: (log: EventScript) => void;
  /** Seconds from the start of the run to the diagnosis. */
  readonly at?: number;
}

const warning = (log: EventScript, reason: string, message: string, container?: string): EventScript =>
  log.emit({ type: 'kubernetesEvent', eventType: 'Warning', reason, message, container, count: 1 });

function diagnose({
  spec,
  metadata,
  container,
  init,
  state,
  lastState,
  restartCount = 0,
  status,
  initStatus,
  emitEvents,
  at = 60,
}: Story): readonly Diagnosis[] {
  const log = new EventScript('uid-1');
  const object = {
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-1', ...metadata },
    spec: {
      restartPolicy: 'Always',
      ...(init ? { initContainers: [{ name: 'prepare', image: 'busybox', ...init }] } : {}),
      containers: [{ name: 'app', image: 'registry.example/web:1', imagePullPolicy: 'IfNotPresent', ...container }],
      ...spec,
    },
  };
  log.emit({ type: 'podChanged', operation: 'ADDED', object });
  emitEvents?.(log);
  log.emit({
    type: 'podStatus',
    status: {
      phase: 'Pending',
      ...(initStatus ? { initContainerStatuses: [{ name: 'prepare', restartCount: 0, ...initStatus }] } : {}),
      containerStatuses: [
        { name: 'app', restartCount, ready: false, state: state ?? {}, ...(lastState ? { lastState } : {}) },
      ],
      ...status,
    },
  });
  const fold = new RunFold();
  fold.applyAll(log.events);
  const [track] = fold.pods();
  if (!track) throw new Error('no pod');
  return diagnosePod(fold, track, log.startedAt + at * 1_000, 'docker');
}

const waiting = (reason: string, message = ''): Story => ({ state: { waiting: { reason, message } } });
const ended = (exitCode: number, reason = 'Error'): Fields => ({
  terminated: { exitCode, reason, startedAt: '2026-01-05T09:00:00Z', finishedAt: '2026-01-05T09:00:03Z' },
});
const looping = (exitCode: number, reason?: string): Story => ({
  ...waiting('CrashLoopBackOff', 'back-off 40s restarting failed container=app'),
  lastState: ended(exitCode, reason),
  restartCount: 4,
});

/** Failure, story, reason of the diagnosis, expected words and expected command. */
const failures: readonly (readonly [name: string, story: Story, reason: string, words: RegExp, command: RegExp])[] = [
  [
    'no such image',
    waiting('ErrImagePull', 'manifest unknown: manifest unknown'),
    'ErrImagePull',
    /no such image or tag/,
    /set image pod\/web app=IMAGE/,
  ],
  [
    'private image',
    {
      ...waiting('ErrImagePull', 'unauthorized: authentication required'),
      spec: { imagePullSecrets: [{ name: 'regcred' }] },
    },
    'ErrImagePull',
    /refused to hand it out/,
    /-n shop get secret regcred/,
  ],
  [
    'unknown registry',
    waiting('ErrImagePull', 'dial tcp: lookup registry.example: no such host'),
    'ErrImagePull',
    /could not be resolved/,
    /docker pull registry\.example\/web:1/,
  ],
  [
    'unreachable registry',
    waiting('ErrImagePull', 'dial tcp 10.0.0.1:443: connect: connection refused'),
    'ErrImagePull',
    /could not be reached/,
    /docker pull/,
  ],
  [
    'untrusted registry',
    waiting('ErrImagePull', 'tls: failed to verify certificate: x509: unknown authority'),
    'ErrImagePull',
    /certificate is not trusted/,
    /docker pull/,
  ],
  [
    'rate limit',
    waiting('ErrImagePull', 'toomanyrequests: You have reached your pull rate limit'),
    'ErrImagePull',
    /too many requests/,
    /docker pull/,
  ],
  [
    'wrong platform',
    waiting('ErrImagePull', 'no matching manifest for linux/arm64 in the manifest list entries'),
    'ErrImagePull',
    /architecture/,
    /docker pull/,
  ],
  [
    'pull back-off',
    waiting('ImagePullBackOff', 'Back-off pulling image "registry.example/web:1": ErrImagePull: not found'),
    'ImagePullBackOff',
    /no such image.*300 s at most/,
    /set image/,
  ],
  [
    'bad image name',
    { ...waiting('InvalidImageName', 'couldn’t parse'), container: { image: 'Web:1:2' } },
    'InvalidImageName',
    /Web:1:2 is not a valid reference/,
    /set image/,
  ],
  [
    'never pulled',
    {
      ...waiting('ErrImageNeverPull', 'not present with pull policy of Never'),
      container: { imagePullPolicy: 'Never' },
    },
    'ErrImageNeverPull',
    /imagePullPolicy is Never/,
    /docker pull/,
  ],
  [
    'broken image store',
    waiting('ImageInspectError', 'Failed to inspect image'),
    'ImageInspectError',
    /storage/,
    /docker info/,
  ],
  [
    'missing secret',
    waiting('CreateContainerConfigError', 'secret "db" not found'),
    'CreateContainerConfigError',
    /Secret db, which does not exist in namespace shop/,
    /create secret generic db/,
  ],
  [
    'missing config map',
    waiting('CreateContainerConfigError', 'configmap "app" not found'),
    'CreateContainerConfigError',
    /ConfigMap app/,
    /create configmap app/,
  ],
  [
    'missing key',
    waiting('CreateContainerConfigError', "couldn't find key url in Secret shop/db"),
    'CreateContainerConfigError',
    /key url, which Secret db does not have/,
    /describe secret db/,
  ],
  [
    'forbidden root user',
    waiting('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root'),
    'CreateContainerConfigError',
    /would run as root/,
    /describe pod web/,
  ],
  [
    'container name conflict',
    waiting('CreateContainerError', 'Conflict. The container name "/k8s_app" is already in use by container "1"'),
    'CreateContainerError',
    /left over/,
    /describe pod web/,
  ],
  [
    'no command',
    waiting('CreateContainerError', 'no command specified'),
    'CreateContainerError',
    /nothing to run/,
    /describe/,
  ],
  [
    'failed preStart hook of the kubelet',
    waiting('PreStartHookError', 'no devices'),
    'PreStartHookError',
    /own preparation/,
    /describe/,
  ],
  [
    'command not found',
    waiting('RunContainerError', 'exec: "/srv": stat /srv: no such file or directory: unknown'),
    'RunContainerError',
    /not in the image/,
    /--entrypoint sh/,
  ],
  [
    'not executable',
    waiting('RunContainerError', 'exec: "/srv": permission denied: unknown'),
    'RunContainerError',
    /may not be executed/,
    /--entrypoint sh/,
  ],
  [
    'port in use',
    waiting('RunContainerError', 'Bind for 0.0.0.0:80 failed: port is already allocated'),
    'RunContainerError',
    /host port .* is taken/,
    /describe/,
  ],
  [
    'crash loop',
    looping(1),
    'CrashLoopBackOff',
    /restarted 4 times.*ran 3\.0 s and exited with code 1: application error/,
    /-n shop logs web -c app --previous/,
  ],
  [
    'crash loop with exit code 0',
    looping(0, 'Completed'),
    'CrashLoopBackOff',
    /exited with code 0: success/,
    /--previous/,
  ],
  ['crash loop of a missing command', looping(127), 'CrashLoopBackOff', /127: the command was not found/, /--previous/],
  ['crash by a signal', looping(134), 'CrashLoopBackOff', /134: ended by SIGABRT/, /--previous/],
  [
    'out of memory',
    { ...looping(137, 'OOMKilled'), container: { resources: { limits: { memory: '32Mi' } } } },
    'OOMKilled',
    /limit is 32Mi.*limit is too small/,
    /--subresource resize/,
  ],
  [
    'failure without restart',
    { state: ended(3), spec: { restartPolicy: 'Never', containers: [{ name: 'app' }] }, status: {} },
    'Error',
    /exited with code 3: application-defined exit code.*stays ended/,
    /logs web -c app$/,
  ],
  [
    'failed postStart',
    {
      ...waiting('PostStartHookError', 'Exec lifecycle hook failed'),
      emitEvents: (log) => warning(log, 'FailedPostStartHook', 'PostStartHook failed: exit 1', 'app'),
    },
    'FailedPostStartHook',
    /postStart hook failed/,
    /logs web -c app/,
  ],
  [
    'failed preStop',
    { emitEvents: (log) => warning(log, 'FailedPreStopHook', 'PreStopHook failed', 'app') },
    'FailedPreStopHook',
    /stopped all the same/,
    /logs/,
  ],
  [
    'failed liveness',
    {
      ...looping(137),
      container: { livenessProbe: { httpGet: { port: 80, path: '/live' }, failureThreshold: 2 } },
      emitEvents: (log) => warning(log, 'Unhealthy', 'Liveness probe failed: HTTP 500', 'app'),
    },
    'LivenessProbe',
    /failed 2 times.*GET HTTP :80\/live/,
    /exec web -c app -- wget -qO- http:\/\/127\.0\.0\.1:80\/live/,
  ],
  [
    'failed startup',
    {
      state: { running: {} },
      container: { startupProbe: { exec: { command: ['cat', '/ready'] } } },
      emitEvents: (log) => warning(log, 'Unhealthy', 'Startup probe failed: exit 1', 'app'),
    },
    'StartupProbe',
    /does not count as started/,
    /exec web -c app -- cat \/ready/,
  ],
  [
    'failed readiness',
    {
      state: { running: {} },
      container: { readinessProbe: { tcpSocket: { port: 80 } } },
      emitEvents: (log) => warning(log, 'Unhealthy', 'Readiness probe failed: refused', 'app'),
    },
    'ReadinessProbe',
    /no traffic.*TCP :80/,
    /logs/,
  ],
  [
    'failed init container that is retried',
    {
      init: {},
      initStatus: { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(1), restartCount: 2 },
    },
    'CrashLoopBackOff',
    /Nothing after it starts/,
    /-c prepare --previous/,
  ],
  [
    'failed init container that is not retried',
    {
      init: {},
      initStatus: { state: ended(1) },
      spec: { restartPolicy: 'Never', initContainers: [{ name: 'prepare' }], containers: [] },
    },
    'Error',
    /whole pod has failed/,
    /-c prepare$/,
  ],
  [
    'failed sandbox',
    {
      emitEvents: (log) =>
        warning(log, 'FailedCreatePodSandBox', 'Failed to create pod sandbox: networkPlugin cni failed to set up pod'),
    },
    'FailedCreatePodSandBox',
    /network plugin could not/,
    /net\.d/,
  ],
  [
    'no network',
    { emitEvents: (log) => warning(log, 'NetworkNotReady', 'network is not ready: cni config uninitialized') },
    'NetworkNotReady',
    /network plugin is not ready/,
    /net\.d/,
  ],
  [
    'failed mount',
    {
      emitEvents: (log) =>
        warning(log, 'FailedMount', 'MountVolume.SetUp failed for volume "c" : configmap "settings" not found'),
    },
    'FailedMount',
    /ConfigMap settings/,
    /get secrets,configmaps/,
  ],
  [
    'insufficient CPU on the node',
    { status: { phase: 'Failed', reason: 'OutOfcpu', message: 'Pod was rejected' } },
    'OutOfcpu',
    /not enough cpu.*pod requests/,
    /describe nodes/,
  ],
  [
    'node affinity mismatch',
    { spec: { nodeSelector: { disk: 'ssd' } }, status: { phase: 'Failed', reason: 'NodeAffinity' } },
    'NodeAffinity',
    /labels do not match/,
    /describe nodes/,
  ],
  [
    'forbidden sysctl',
    { status: { phase: 'Failed', reason: 'SysctlForbidden' } },
    'SysctlForbidden',
    /sysctl that is unsafe/,
    /describe nodes/,
  ],
  ['eviction', { status: { phase: 'Failed', reason: 'Evicted' } }, 'Evicted', /ran short/, /describe nodes/],
  [
    'exceeded deadline',
    { spec: { activeDeadlineSeconds: 30 }, status: { phase: 'Failed', reason: 'DeadlineExceeded' } },
    'DeadlineExceeded',
    /30 s/,
    /delete pod web/,
  ],
  [
    'stuck termination',
    {
      metadata: {
        deletionTimestamp: '2026-01-05T09:00:10Z',
        deletionGracePeriodSeconds: 10,
        finalizers: ['example.com/hold'],
      },
    },
    'Terminating',
    /ended 50 s ago.*example\.com\/hold keep/,
    /finalizers/,
  ],
  [
    'termination within the grace period',
    { at: 5, metadata: { deletionTimestamp: '2026-01-05T09:00:10Z', deletionGracePeriodSeconds: 10 } },
    'Terminating',
    /may take 5\.0 s more/,
    /events --for pod\/web/,
  ],
];

describe('diagnosePod', () => {
  it.each(failures)('explains %s', (_name, story, reason, words, command) => {
    const [found] = diagnose(story);
    expect(found?.reason).toBe(reason);
    const text = found && [found.title, ...found.cause].map(inEnglish).join(' ');
    expect(text).toMatch(words);
    expect(text).not.toMatch(/\{\w+\}/);
    expect(found?.next.map(({ command: each }) => each).join('\n')).toMatch(new RegExp(command.source, 'm'));
  });

  it('names the rule that replaced a sandbox and the end of the old one', () => {
    const sandbox = 'deadbeef0123456789';
    const observed = (
      id: string,
      attempt: number,
      from: 'nonexistent' | 'running',
      to: 'running' | 'exited',
      more: Fields = {},
    ) => ({ type: 'runtimeStateChanged', object: 'sandbox', id, name: 'POD', attempt, from, to, ...more }) as const;
    const found = diagnose({
      state: { running: {} },
      emitEvents: (log) => {
        log.emit(observed(sandbox, 0, 'nonexistent', 'running'));
        log.wait(1_000).emit(observed(sandbox, 0, 'running', 'exited', { exitCode: 137, message: 'pause was killed' }));
        log.open('kuberuntime.SyncPod');
        log.open('syncPod.computePodActions');
        log.emit({
          type: 'decision',
          rule: 'podSandboxChanged.newestNotReady',
          facts: { sandbox, attempt: 0 },
          outcome: 'a new sandbox is needed',
          decisive: true,
        });
        log.close().close();
        log.emit({
          type: 'kubernetesEvent',
          eventType: 'Normal',
          reason: 'SandboxChanged',
          message: 'Pod sandbox changed, it will be killed and re-created.',
          count: 1,
        });
      },
    });
    const change = found.find(({ reason }) => reason === 'SandboxChanged');
    expect(change?.cause.map(inEnglish).join(' ')).toMatch(
      /sandbox deadbeef0123 as not ready.*code 137: killed by SIGKILL/,
    );
    expect(change?.said).toContain('pause was killed');
  });

  const commandsOf = (story: Story): string =>
    diagnose(story)
      .flatMap(({ next }) => next.map(({ command }) => command))
      .join('\n');

  it.each([
    ['32Mi', '64Mi'],
    ['4Gi', '8Gi'],
    ['1.5Gi', '3Gi'],
    ['134217728', '268435456'],
  ])('advises twice the memory limit of a container that ran out of %s', (memory, advice) => {
    const commands = commandsOf({ ...looping(137, 'OOMKilled'), container: { resources: { limits: { memory } } } });
    expect(commands).toContain(`"limits":{"memory":"${advice}"}`);
  });

  it('advises no number for a container that ran out of memory without a limit', () => {
    const commands = commandsOf(looping(137, 'OOMKilled'));
    expect(commands).not.toContain('resize');
    expect(commands).toContain('kubectl describe nodes');
  });

  it('gives an OOM kill as the only cause of exit code 137', () => {
    const [found] = diagnose({
      ...looping(137, 'OOMKilled'),
      container: { resources: { limits: { memory: '32Mi' } } },
    });
    const text = found?.cause.map(inEnglish).join(' ');
    expect(text).toContain('exited with code 137: killed by SIGKILL because memory ran out');
    expect(text).not.toContain('grace period');
  });

  it('uses crictl for a pod whose status names another runtime than Docker', () => {
    const commands = commandsOf({
      ...waiting('ErrImagePull', 'not found'),
      status: {
        containerStatuses: [
          { name: 'app', state: { waiting: { reason: 'ErrImagePull', message: 'not found' } } },
          { name: 'other', containerID: 'containerd://4f', state: { running: {} } },
        ],
      },
    });
    expect(commands).toContain('crictl pull registry.example/web:1');
    expect(commands).not.toContain('docker');
  });

  it('quotes the output of a failed postStart hook and gives its command', () => {
    const [found] = diagnose({
      ...waiting('CrashLoopBackOff'),
      container: { lifecycle: { postStart: { exec: { command: ['curl', 'http://config'] } } } },
      emitEvents: (log) => {
        log.open('lifecycle.postStart', { attributes: { container: 'app' } });
        log.close(undefined, { reason: 'PostStartHookError', message: 'exited with 7: , message: "no such host"' });
        warning(log, 'FailedPostStartHook', 'PostStartHook failed', 'app');
      },
    });
    expect(found?.said).toContain('exited with 7: , message: "no such host"');
    expect(found?.next[0]?.command).toContain('exec web -c app -- curl http://config');
  });

  it('returns the fields that are evidence', () => {
    const [found] = diagnose(looping(1));
    expect(found?.facts).toEqual([
      { path: 'status.containerStatuses[0].lastState.terminated.exitCode', value: '1' },
      { path: 'status.containerStatuses[0].lastState.terminated.reason', value: 'Error' },
      { path: 'status.containerStatuses[0].restartCount', value: '4' },
      { path: 'spec.restartPolicy', value: 'Always' },
    ]);
  });

  it('finds no problem in a healthy pod', () => {
    expect(diagnose({ state: { running: {} }, status: { phase: 'Running' } })).toEqual([]);
  });
});
