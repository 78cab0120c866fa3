/** Checks the diagnosis of pods of a run: words, evidence and next command of the failures that a kubelet reports. */
import { RunFold } from '@podscope/trace';
import { type Diagnosis, inEnglish } from '@podscope/trace/explain';
import { EventScript } from '@podscope/trace/testing';
import { describe, expect, it } from 'vitest';
import { diagnosePodOfRun } from './diagnose-run.ts';

type Fields = Readonly<Record<string, unknown>>;

interface Story {
  readonly spec?: Fields;
  readonly metadata?: Fields;
  /** Spec fields of the container `app`. */
  readonly container?: Fields;
  readonly init?: Fields;
  readonly state?: Fields;
  readonly lastState?: Fields;
  readonly restartCount?: number;
  readonly status?: Fields;
  readonly initStatus?: Fields;
  readonly emitEvents?: (log: EventScript) => void;
  /** How many seconds after the start of the run the pod is diagnosed. */
  readonly at?: number;
  readonly logs?: Readonly<Record<string, string>>;
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
  logs = {},
}: Story): readonly Diagnosis[] {
  const log = new EventScript('uid-1');
  const object = {
    metadata: { name: 'web', namespace: 'shop', uid: 'uid-1', ...metadata },
    spec: {
      restartPolicy: 'Always',
      nodeName: 'node-1',
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
  return diagnosePodOfRun(fold, track, log.startedAt + at * 1_000, {
    node: { name: 'node-1', runtime: 'docker' },
    logs,
  });
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

/**
 * Each row has the failure, its setup, the reason of the diagnosis, words in its text, and a command that it suggests.
 */
const failures: readonly (readonly [name: string, story: Story, reason: string, words: RegExp, command: RegExp])[] = [
  [
    'no such image',
    waiting('ErrImagePull', 'manifest unknown: manifest unknown'),
    'ErrImagePull',
    /no image web with tag 1/,
    /skopeo list-tags docker:\/\/registry\.example\/web/,
  ],
  [
    'private image',
    {
      ...waiting('ErrImagePull', 'unauthorized: authentication required'),
      spec: { imagePullSecrets: [{ name: 'regcred' }] },
    },
    'ErrImagePull',
    /credentials in pull secret regcred are wrong/,
    /get secret regcred -n shop/,
  ],
  [
    'unknown registry',
    {
      ...waiting('ErrImagePull', 'dial tcp: lookup registry.example on 10.0.0.2:53: no such host'),
      container: { image: 'registry.example:5000/shop/web:1' },
    },
    'ErrImagePull',
    /doesn’t resolve the name of registry registry\.example:5000: .* or the resolver 10\.0\.0\.2:53 doesn’t know it/,
    /^nslookup registry\.example$/,
  ],
  [
    'unknown host of a registry',
    {
      ...waiting('ErrImagePull', 'dial tcp: lookup registry-1.docker.io: no such host'),
      container: { image: 'nginx:1.27' },
    },
    'ErrImagePull',
    /doesn’t resolve the name registry-1\.docker\.io, which registry docker\.io uses: .* or the resolver doesn’t know it/,
    /^nslookup registry-1\.docker\.io/,
  ],
  [
    'wrong platform',
    waiting('ErrImagePull', 'no matching manifest for linux/arm64 in the manifest list entries'),
    'ErrImagePull',
    /architecture/,
    /buildx build/,
  ],
  [
    'bad image name',
    { ...waiting('InvalidImageName', 'couldn’t parse'), container: { image: 'Web:1:2' } },
    'InvalidImageName',
    /Web:1:2 is not a valid image name/,
    /set image pod\/web app=/,
  ],
  [
    'never pulled',
    {
      ...waiting('ErrImageNeverPull', 'not present with pull policy of Never'),
      container: { imagePullPolicy: 'Never' },
    },
    'ErrImageNeverPull',
    /imagePullPolicy is Never/,
    /^docker images/,
  ],
  [
    'missing secret',
    waiting('CreateContainerConfigError', 'secret "db" not found'),
    'CreateContainerConfigError',
    /Secret db does not exist in namespace shop/,
    /create secret generic db/,
  ],
  [
    'missing key',
    waiting('CreateContainerConfigError', "couldn't find key url in Secret shop/db"),
    'CreateContainerConfigError',
    /the key url that the pod refers to is not in it/,
    /describe secret db/,
  ],
  [
    'forbidden root user',
    waiting('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root'),
    'CreateContainerConfigError',
    /runs as root/,
    /replace --force/,
  ],
  [
    'no command',
    waiting('CreateContainerError', 'no command specified'),
    'CreateContainerError',
    /has a command/,
    /web/,
  ],
  [
    'command not found',
    waiting('RunContainerError', 'exec: "/srv": stat /srv: no such file or directory: unknown'),
    'RunContainerError',
    /\/srv is not found in image/,
    /run app-look .* -- sh -c/,
  ],
  [
    'crash loop',
    looping(1),
    'CrashLoopBackOff',
    /exit code 1\..*restarted 4 times; the last instance ran 3 s/,
    /-n shop logs web --tail=50 --previous/,
  ],
  [
    'crash loop with exit code 0',
    looping(0, 'Completed'),
    'CrashLoopBackOff',
    /finishes successfully \(exit code 0\)/,
    /create job/,
  ],
  ['crash loop of a missing command', looping(127), 'CrashLoopBackOff', /127: a shell didn’t find/, /--previous/],
  ['crash by a signal', looping(134), 'CrashLoopBackOff', /SIGABRT/, /--previous/],
  [
    'out of memory',
    { ...looping(137, 'OOMKilled'), container: { resources: { limits: { memory: '32Mi' } } } },
    'OOMKilled',
    /memory limit of 32Mi after 3 s/,
    /top pod web --containers/,
  ],
  [
    'failed postStart',
    {
      ...waiting('PostStartHookError', 'Exec lifecycle hook failed'),
      container: { lifecycle: { postStart: { exec: { command: ['/prepare'] } } } },
      emitEvents: (log) => warning(log, 'FailedPostStartHook', 'PostStartHook failed: exit 1', 'app'),
    },
    'FailedPostStartHook',
    /postStart hook \(\/prepare\) fails/,
    /logs web/,
  ],
  [
    'failed startup',
    {
      state: { running: { startedAt: '2026-01-05T09:00:00Z' } },
      container: { startupProbe: { exec: { command: ['cat', '/ready'] } } },
      emitEvents: (log) => warning(log, 'Unhealthy', 'Startup probe failed: exit 1', 'app'),
    },
    'Unhealthy',
    /startup probe \(cat \/ready\) fails/,
    /logs web/,
  ],
  [
    'host port in use',
    {
      ...waiting('RunContainerError', 'Bind for 0.0.0.0:80 failed: port is already allocated'),
      container: { ports: [{ containerPort: 80, hostPort: 80 }] },
    },
    'RunContainerError',
    /uses the host port 80/,
    /^ss -lntup/,
  ],
  [
    'container name conflict',
    waiting('CreateContainerError', 'Conflict. The container name "/k8s_app" is already in use by container "1"'),
    'CreateContainerError',
    /name/,
    /docker ps -a --filter name=app/,
  ],
  [
    'failed preStop of a stopped container',
    {
      state: ended(0, 'Completed'),
      spec: { restartPolicy: 'Never', containers: [{ name: 'app' }] },
      emitEvents: (log) => warning(log, 'FailedPreStopHook', 'PreStopHook failed', 'app'),
    },
    'FailedPreStopHook',
    /stopped all the same/,
    /logs web/,
  ],
  [
    'DRA driver that does not prepare devices',
    {
      ...waiting('ContainerCreating'),
      emitEvents: (log) => warning(log, 'FailedPrepareDynamicResources', 'DRA driver gpu.nvidia.com is not registered'),
    },
    'FailedPrepareDynamicResources',
    /driver gpu\.nvidia\.com/,
    /describe resourceclaims/,
  ],
  [
    'failed readiness',
    {
      state: { running: { startedAt: '2026-01-05T09:00:00Z' } },
      container: { readinessProbe: { tcpSocket: { port: 80 } } },
      status: { phase: 'Running' },
      emitEvents: (log) => warning(log, 'Unhealthy', 'Readiness probe failed: refused', 'app'),
    },
    'ContainersNotReady',
    /readiness probe/,
    /logs/,
  ],
  [
    'failed init container that is retried',
    {
      init: {},
      initStatus: { state: { waiting: { reason: 'CrashLoopBackOff' } }, lastState: ended(1), restartCount: 2 },
    },
    'CrashLoopBackOff',
    /no later container starts before it succeeds/,
    /-c prepare --tail=50 --previous/,
  ],
  [
    'failed sandbox',
    {
      emitEvents: (log) =>
        warning(log, 'FailedCreatePodSandBox', 'Failed to create pod sandbox: networkPlugin cni failed to set up pod'),
    },
    'FailedCreatePodSandBox',
    /network plugin \(cni\)/,
    /net\.d/,
  ],
  [
    'failed mount',
    {
      emitEvents: (log) =>
        warning(log, 'FailedMount', 'MountVolume.SetUp failed for volume "c" : configmap "settings" not found'),
    },
    'FailedMount',
    /ConfigMap settings does not exist/,
    /create configmap settings/,
  ],
  [
    'node affinity mismatch',
    { spec: { nodeSelector: { disk: 'ssd' } }, status: { phase: 'Failed', reason: 'NodeAffinity' } },
    'NodeAffinity',
    /don’t match disk=ssd \(nodeSelector/,
    /get node node-1 --show-labels/,
  ],
  [
    'exceeded deadline',
    { spec: { activeDeadlineSeconds: 30 }, status: { phase: 'Failed', reason: 'DeadlineExceeded' } },
    'DeadlineExceeded',
    /activeDeadlineSeconds \(30 s\)/,
    /logs web/,
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
    /finalizer example\.com\/hold keeps the object/,
    /"finalizers":null/,
  ],
  [
    'termination within the grace period',
    { at: 5, metadata: { deletionTimestamp: '2026-01-05T09:00:10Z', deletionGracePeriodSeconds: 10 } },
    'Terminating',
    /ends at 09:00:10 UTC/,
    /get pod web -w/,
  ],
];

describe('diagnosePodOfRun', () => {
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

  it('runs commands for a node of another cluster in a debug pod, with its runtime’s tool', () => {
    const never = waiting('ErrImageNeverPull', 'not present with pull policy of Never');
    const commands = commandsOf({ ...never, spec: { nodeName: 'worker-3' } });
    expect(commands).toContain('kubectl debug node/worker-3');
    expect(commands).toContain('crictl images');
    expect(commands).not.toContain('docker images');
  });

  it('counts the occurrences of an event, and ignores those that the API has forgotten', () => {
    const mount = (log: EventScript): EventScript =>
      warning(log, 'FailedMount', 'MountVolume.SetUp failed for volume "c" : configmap "settings" not found');
    const factsAt = (at: number) =>
      diagnose({ at, emitEvents: (log) => [1, 2, 3].forEach(() => mount(log.wait(1_000))) }).flatMap(
        ({ facts }) => facts,
      );
    expect(factsAt(60).map(({ path }) => path)).toContain('event FailedMount (3 times)');
    expect(factsAt(7_200).map(({ path }) => path)).not.toContain('event FailedMount (3 times)');
  });

  it.each([
    [
      'container',
      { ...looping(1), state: ended(1) },
      /^app is started again at about 09:00:32 UTC, when its back-off of 40 s is over\./,
    ],
    ['image', waiting('ImagePullBackOff', 'Back-off pulling image'), /at about 09:00:32 UTC \(back-off 40 s,/],
  ] as const)('tells the next attempt from the %s back-off in force', (kind, story, words) => {
    const emitEvents = (log: EventScript): void => {
      if (kind === 'image') warning(log, 'Failed', 'Failed to pull image "web": not found', 'app');
      const since = log.now - 8_000;
      const until = since + 40_000;
      log.emit({ type: 'backOff', kind, key: 'k', container: 'app', seconds: 40, since, until, state: 'waiting' });
    };
    const [found] = diagnose({ ...story, at: 5, emitEvents });
    expect((found?.outlook ?? []).map(inEnglish).join(' ')).toMatch(words);
  });

  it('names the service that a program can’t reach in its own words', () => {
    const [found] = diagnose({ ...looping(3), logs: { app: 'starting\ncannot reach the database' } });
    expect(found && inEnglish(found.title)).toBe('app can’t reach the database that it depends on');
    expect(found?.origin).toBe('network');
  });

  it('ends a quoted last line before the next sentence', () => {
    const [found] = diagnose({ ...looping(3), logs: { app: 'no login with the given name' } });
    expect(found?.cause.map(inEnglish).join(' ')).toContain('with the given name”. It has been restarted 4 times');
  });

  it('names the log with the last words of a crashed container', () => {
    expect(diagnose(looping(1))[0]?.log).toBe('previous');
    expect(diagnose({ ...looping(1), state: ended(1) })[0]?.log).toBe('current');
  });

  it('finds the cause in the last log lines, without repeating them', () => {
    const logs = { app: 'starting\nError: getaddrinfo ENOTFOUND orders-db' };
    const [found] = diagnose({ ...looping(1), logs });
    expect(found && inEnglish(found.title)).toContain('orders-db');
    expect(found?.said).toBeUndefined();
  });

  it('quotes the error of a failed postStart hook with its output', () => {
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
  });

  it.each([
    ['error', 'The postStart hook of app fails'],
    ['ok', 'app finishes and is started again and again'],
  ] as const)(
    'finds the cause of a crash loop in the %s of the hook that the calls show, without events',
    (end, title) => {
      const [found] = diagnose({
        ...looping(0),
        container: { lifecycle: { postStart: { exec: { command: ['curl', 'http://config'] } } } },
        emitEvents: (log) => {
          log.open('lifecycle.postStart', { attributes: { container: 'app' } });
          log.close(
            undefined,
            end === 'error' ? { reason: 'HookFailed', message: 'command exited with 4' } : undefined,
          );
        },
      });
      expect(found && inEnglish(found.title)).toBe(title);
    },
  );

  it('returns the fields that are evidence', () => {
    const [found] = diagnose(looping(1));
    expect(found?.facts).toEqual([
      { path: 'status.containerStatuses[0].lastState.terminated.exitCode', value: '1' },
      { path: 'status.containerStatuses[0].lastState.terminated.reason', value: 'Error' },
      { path: 'status.containerStatuses[0].restartCount', value: '4' },
    ]);
  });

  it('does not report a pod that has just begun to start', () => {
    const creating = waiting('ContainerCreating');
    expect(diagnose({ ...creating, at: 5 })).toEqual([]);
    expect(diagnose({ ...creating, at: 60 })).toMatchObject([{ reason: 'ContainerCreating', severity: 'waiting' }]);
  });

  it('returns nothing for an object that is not a pod', () => {
    expect(diagnose({ ...looping(1), spec: { containers: 'none' } })).toEqual([]);
  });

  it('finds no problem in a healthy pod', () => {
    expect(
      diagnose({ state: { running: { startedAt: '2026-01-05T09:00:00Z' } }, status: { phase: 'Running' } }),
    ).toEqual([]);
  });
});
