import type { ExecSyncResponse } from '@podscope/cri';
import { CriError } from '@podscope/cri';
import type { PodStatus as ApiPodStatus, Container, Pod, Probe } from '@podscope/k8s';
import { background, sleep, Tracer, VirtualClock } from '@podscope/trace';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { featureGates } from '../features.ts';
import { type Measure, Measures } from '../metrics/measures.ts';
import { newPod } from '../testing/kubelet-harness.ts';
import { TaskGroup } from '../util/task-group.ts';
import { ProbeManager, type ProbeMessage } from './manager.ts';
import { Prober } from './prober.ts';
import { updatePodStatus } from './update-pod-status.ts';

describe('ProbeManager', () => {
  let clock: VirtualClock;
  let controller: AbortController;
  let manager: ProbeManager;
  let tasks: TaskGroup;
  let status: ApiPodStatus | undefined;
  let pod: Pod;
  let messages: ProbeMessage[];
  let measures: Measures;
  let measured: Measure[];
  let random: number;
  let gates: Readonly<Record<string, boolean>>;
  let events: string[];
  let attempts: number[];
  let commands: (readonly string[])[];
  let exec: () => ExecSyncResponse | Promise<ExecSyncResponse>;
  let http: (url: string, headers: Readonly<Record<string, string>>) => { status: number; body: string };

  const running = (id: string, started = true): ApiPodStatus => ({
    phase: 'Running',
    podIP: '10.0.0.7',
    containerStatuses: [
      {
        name: 'app',
        ready: false,
        started,
        restartCount: 0,
        image: '',
        imageID: '',
        containerID: `fake://${id}`,
        state: { running: { startedAt: new Date(clock.now()).toISOString() } },
      },
    ],
  });
  const ended = (exitCode: number): ApiPodStatus => ({
    ...running('a'),
    containerStatuses: running('a').containerStatuses?.map((container) => ({
      ...container,
      state: { terminated: { exitCode } },
    })),
  });
  const probe = (container: Partial<Container>): void => {
    pod = newPod('web', {
      containers: [{ name: 'app', image: 'busybox', ports: [{ name: 'http', containerPort: 8080 }], ...container }],
    });
    manager.addPod(pod);
  };
  const command: Probe = {
    exec: { command: ['check'] },
    periodSeconds: 10,
    timeoutSeconds: 1,
    failureThreshold: 3,
    successThreshold: 1,
  };
  const seconds = (): number => (clock.now() - Date.UTC(2026, 0, 1)) / 1000;

  beforeEach(() => {
    clock = new VirtualClock();
    controller = new AbortController();
    messages = [];
    events = [];
    attempts = [];
    commands = [];
    exec = () => ({ stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 0 });
    http = () => ({ status: 200, body: 'ok' });
    tasks = new TaskGroup(() => undefined);
    measures = new Measures();
    measured = [];
    measures.subscribe((measure) => measured.push(measure));
    status = undefined;
    random = 0;
    gates = {};
    create();
  });

  const create = (): void => {
    manager = new ProbeManager({
      prober: new Prober({
        runtime: {
          execSync: async (_ctx, { cmd }) => {
            attempts.push(seconds());
            commands.push(cmd);
            return exec();
          },
        },
        http: {
          get: async ({ url, headers }) => {
            attempts.push(seconds());
            return http(url, headers);
          },
        },
        tcp: undefined,
        recorder: {
          event: (_ctx, _pod, _type, reason, message) => events.push(`${reason}: ${message}`),
          nodeEvent: () => undefined,
        },
      }),
      podStatus: () => status,
      random: () => random,
      gates: featureGates(gates),
      tasks,
      deliver: (message) => messages.push(message),
      measures,
    });
    manager.start(background(clock, new Tracer(), 'main', controller.signal));
  };

  afterEach(async () => {
    controller.abort();
    await clock.settle();
    await tasks.settled();
  });

  const failing = (): void =>
    void (exec = () => ({ stdout: new TextEncoder().encode('bad\n'), stderr: new Uint8Array(), exitCode: 1 }));
  const reported = (): (readonly [string, string])[] =>
    messages.splice(0).map(({ type, result }) => [type, result] as const);

  it('reports a liveness failure after three failed attempts and then pauses until the next container', async () => {
    probe({ livenessProbe: command });
    status = running('a');
    failing();
    await clock.advance(25_000);
    expect(attempts).toEqual([0, 10, 20]);
    expect(reported()).toEqual([
      ['liveness', 'success'],
      ['liveness', 'failure'],
    ]);
    expect(events).toEqual(Array.from({ length: 3 }, () => 'Unhealthy: Liveness probe failed: bad\n'));
    await clock.advance(30_000);
    expect(attempts).toHaveLength(3);
    status = running('b');
    await clock.advance(10_000);
    expect(attempts).toHaveLength(4);
  });

  it('reports readiness failure at first and success after the first successful attempt', async () => {
    probe({ readinessProbe: command });
    status = running('a');
    await clock.advance(100);
    expect(reported()).toEqual([
      ['readiness', 'failure'],
      ['readiness', 'success'],
    ]);
  });

  it('runs no liveness probe until the startup probe has succeeded', async () => {
    probe({ startupProbe: command, livenessProbe: command });
    status = running('a', false);
    await clock.advance(100);
    expect(attempts).toEqual([0]);
    expect(reported()).toEqual([
      ['startup', 'unknown'],
      ['startup', 'success'],
      ['liveness', 'success'],
    ]);
    status = running('a', true);
    await clock.advance(10_000);
    expect(attempts).toEqual([0, 10]);
  });

  it('starts probing after the initial delay', async () => {
    probe({ livenessProbe: { ...command, initialDelaySeconds: 15 } });
    status = running('a');
    const { state } = status.containerStatuses?.[0] ?? {};
    await clock.advance(35_000);
    expect(state?.running).toBeDefined();
    expect(attempts).toEqual([20, 30]);
  });

  it('runs a readiness probe at once when it is triggered', async () => {
    probe({ readinessProbe: { ...command, periodSeconds: 60 } });
    status = running('a');
    failing();
    await clock.advance(5000);
    manager.triggerReadiness('uid-web', 'app');
    await clock.advance(0);
    expect(attempts).toEqual([0, 5]);
  });

  it('starts the next attempt at once when a period has passed during an attempt', async () => {
    probe({ livenessProbe: { ...command, periodSeconds: 1, failureThreshold: 10 } });
    status = running('a');
    exec = async () => {
      await sleep(clock, 1500, controller.signal).catch(() => undefined);
      return { stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 1 };
    };
    await clock.advance(5000);
    expect(attempts).toEqual([0, 1.5, 3, 4.5]);
  });

  it('waits for the next tick after an attempt that took several periods and the one that follows it', async () => {
    probe({ livenessProbe: { ...command, periodSeconds: 1, failureThreshold: 10 } });
    status = running('a');
    exec = async () => {
      await sleep(clock, attempts.length === 1 ? 2500 : 100, controller.signal).catch(() => undefined);
      return { stdout: new Uint8Array(), stderr: new Uint8Array(), exitCode: 1 };
    };
    await clock.advance(4500);
    expect(attempts).toEqual([0, 2.5, 3, 4]);
  });

  it('expands a variable with valueFrom to an empty text and keeps unknown ones', async () => {
    probe({
      env: [
        { name: 'WORD', value: 'a' },
        { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ],
      livenessProbe: { ...command, exec: { command: ['check', '$(WORD)-$(NODE)-$(OTHER)-$$(WORD)'] } },
    });
    status = running('a');
    await clock.advance(100);
    expect(commands).toEqual([['check', 'a--$(OTHER)-$(WORD)']]);
  });

  it.each([
    ['web', 'strconv.Atoi: parsing "web": invalid syntax'],
    ['0x50', 'strconv.Atoi: parsing "0x50": invalid syntax'],
    ['70000', 'invalid port number: 70000'],
    [0, 'invalid port number: 0'],
  ])('reports the port %j as an error of the probe', async (port, text) => {
    probe({ readinessProbe: { httpGet: { path: '/', port }, periodSeconds: 10 } });
    status = running('a');
    await clock.advance(100);
    expect(events).toEqual([`Unhealthy: Readiness probe errored and resulted in unknown state: ${text}`]);
  });

  it('sends all values of a repeated header, and the first Host', async () => {
    const sent: Readonly<Record<string, string>>[] = [];
    http = (_url, headers) => {
      sent.push(headers);
      return { status: 200, body: '' };
    };
    const httpHeaders = [
      { name: 'X-A', value: '1' },
      { name: 'x-a', value: '2' },
      { name: 'Host', value: 'first' },
      { name: 'Host', value: 'second' },
      { name: 'accept', value: '' },
    ];
    probe({ readinessProbe: { httpGet: { path: '/', port: 80, httpHeaders }, periodSeconds: 10 } });
    status = running('a');
    await clock.advance(100);
    expect(sent).toEqual([{ 'User-Agent': 'kube-probe/1.36', 'X-A': '1, 2', Host: 'first' }]);
  });

  describe('after a restart of the kubelet', () => {
    const before = (): ApiPodStatus => {
      const { containerStatuses: [container] = [] } = running('a');
      if (!container) throw new Error('no container');
      const startedAt = new Date(clock.now() - 60_000).toISOString();
      return { ...running('a'), containerStatuses: [{ ...container, state: { running: { startedAt } } }] };
    };
    const readyOf = (container: Partial<Container>, isReady: boolean): boolean | undefined => {
      const conditions = isReady ? [{ type: 'Ready', status: 'True' } as const] : [];
      const restarted: Pod = {
        ...newPod('web', { containers: [{ name: 'app', image: 'busybox', ...container }] }),
        status: { conditions },
      };
      return updatePodStatus(restarted, before(), manager, featureGates()).containerStatuses?.[0]?.ready;
    };

    it.each([
      { probes: { readinessProbe: command }, pod: 'unready', isReady: false, ready: false },
      { probes: { readinessProbe: command }, pod: 'ready', isReady: true, ready: true },
      { probes: {}, pod: 'unready', isReady: false, ready: true },
    ])('is ready: $ready, in the first status of a pod that was $pod', ({ probes, isReady, ready }) => {
      expect(readyOf(probes, isReady)).toBe(ready);
    });
  });

  it('removes the worker when the pod has ended, and measures its end', async () => {
    probe({ livenessProbe: command });
    status = { phase: 'Succeeded' };
    await clock.advance(100);
    expect(manager.hasWorker('liveness', 'uid-web', 'app')).toBe(false);
    expect(measured).toEqual([{ of: 'probeEnd', pod, container: 'app', type: 'liveness' }]);
  });

  it('finishes and reports an attempt during which the worker is stopped', async () => {
    probe({ livenessProbe: command });
    status = running('a');
    exec = async () => {
      await sleep(clock, 3000, controller.signal);
      return { stdout: new TextEncoder().encode('late\n'), stderr: new Uint8Array(), exitCode: 1 };
    };
    await clock.advance(1000);
    manager.removePod('uid-web');
    await clock.advance(1000);
    expect(manager.hasWorker('liveness', 'uid-web', 'app')).toBe(true);
    await clock.advance(20_000);
    expect(manager.hasWorker('liveness', 'uid-web', 'app')).toBe(false);
    expect(events).toEqual(['Unhealthy: Liveness probe failed: late\n']);
    expect(attempts).toEqual([0]);
  });

  it('makes one attempt when the worker is stopped before the first', async () => {
    random = 0.5;
    probe({ livenessProbe: command });
    status = running('a');
    await clock.advance(1000);
    manager.removePod('uid-web');
    await clock.advance(30_000);
    expect(attempts).toEqual([5]);
  });

  it.each([
    { restartPolicy: 'OnFailure', ContainerRestartRules: true, exists: false },
    { restartPolicy: 'OnFailure', ContainerRestartRules: false, exists: true },
    { restartPolicy: 'Never', ContainerRestartRules: false, exists: false },
  ] as const)(
    'has a worker: $exists, for a container that succeeded with $restartPolicy and rules: $ContainerRestartRules',
    async ({ restartPolicy, ContainerRestartRules, exists }) => {
      gates = { ContainerRestartRules, RestartAllContainersOnContainerExits: ContainerRestartRules };
      create();
      pod = newPod('web', { restartPolicy, containers: [{ name: 'app', image: 'busybox', livenessProbe: command }] });
      manager.addPod(pod);
      status = running('a');
      await clock.advance(1000);
      status = ended(0);
      await clock.advance(10_000);
      expect(manager.hasWorker('liveness', 'uid-web', 'app')).toBe(exists);
    },
  );

  it.each([
    { list: 'containers', stays: false },
    { list: 'initContainers', stays: true },
  ])('has a worker for an ended container of $list that restarts always, gate off: $stays', async ({ list, stays }) => {
    gates = { ContainerRestartRules: false, RestartAllContainersOnContainerExits: false };
    create();
    const app = { name: 'app', image: 'busybox', restartPolicy: 'Always', livenessProbe: command } as const;
    const main = { name: 'main', image: 'busybox' };
    pod = newPod('web', { restartPolicy: 'Never', containers: [main], [list]: [app] });
    manager.addPod(pod);
    status = running('a');
    await clock.advance(1000);
    status = ended(0);
    await clock.advance(10_000);
    expect(manager.hasWorker('liveness', 'uid-web', 'app')).toBe(stays);
  });

  it('keeps the worker of a container that ends because all containers are restarted', async () => {
    const rule = { action: 'RestartAllContainers', exitCodes: { operator: 'In', values: [42] } } as const;
    pod = newPod('web', {
      restartPolicy: 'Never',
      containers: [
        { name: 'app', image: 'busybox', livenessProbe: command },
        { name: 'batch', image: 'busybox', restartPolicy: 'Never', restartPolicyRules: [rule] },
      ],
    });
    manager.addPod(pod);
    status = running('a');
    await clock.advance(1000);
    status = { ...ended(137), conditions: [{ type: 'AllContainersRestarting', status: 'True' }] };
    await clock.advance(10_000);
    expect(manager.hasWorker('liveness', 'uid-web', 'app')).toBe(true);
    status = running('b');
    await clock.advance(10_000);
    expect(attempts).toEqual([0, 20]);
  });

  it('reports the start of a sidecar whose worker is new, and then probes it', async () => {
    const sidecar = { name: 'app', image: 'busybox', restartPolicy: 'Always', startupProbe: command } as const;
    pod = newPod('web', { initContainers: [sidecar], containers: [{ name: 'main', image: 'busybox' }] });
    const asSidecar = (from: ApiPodStatus): ApiPodStatus => ({
      ...from,
      initContainerStatuses: from.containerStatuses,
      containerStatuses: [],
    });
    status = asSidecar(running('a'));
    manager.addPod(pod);
    await clock.advance(100);
    expect(reported()).toEqual([
      ['startup', 'success'],
      ['startup', 'unknown'],
    ]);
    expect(attempts).toEqual([]);
    // The kubelet's next status contains the second result.
    status = asSidecar(running('a', false));
    await clock.advance(10_000);
    expect(attempts).toEqual([10]);
    expect(reported()).toEqual([['startup', 'success']]);
  });

  it('counts a timeout as a failure and ignores other errors of the runtime', async () => {
    probe({ livenessProbe: { ...command, failureThreshold: 1 } });
    status = running('a');
    exec = () => {
      throw new CriError('Unavailable', 'runtime gone');
    };
    await clock.advance(100);
    expect(reported()).toEqual([['liveness', 'success']]);
    expect(events).toEqual([
      'Unhealthy: Liveness probe errored and resulted in unknown state: ' +
        'rpc error: code = Unavailable desc = runtime gone',
    ]);
    exec = () => {
      throw new CriError('DeadlineExceeded', 'late');
    };
    await clock.advance(10_000);
    expect(reported()).toEqual([['liveness', 'failure']]);
    expect(events.at(-1)).toBe('Unhealthy: Liveness probe failed: command timed out: "check" timed out after 1s');
  });

  it('requests the named port of the pod for httpGet and evaluates the status', async () => {
    const asked: [string, Readonly<Record<string, string>>][] = [];
    http = (url, headers) => {
      asked.push([url, headers]);
      return { status: 503, body: 'busy' };
    };
    probe({
      readinessProbe: {
        httpGet: { path: '/healthz', port: 'http', httpHeaders: [{ name: 'X-Probe', value: 'yes' }] },
        periodSeconds: 10,
      },
    });
    status = running('a');
    await clock.advance(100);
    expect(asked).toEqual([
      ['http://10.0.0.7:8080/healthz', { 'User-Agent': 'kube-probe/1.36', Accept: '*/*', 'X-Probe': 'yes' }],
    ]);
    expect(events).toEqual(['Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503']);
    http = () => ({ status: 302, body: 'elsewhere' });
    await clock.advance(10_000);
    expect(events.at(-1)).toBe(
      'ProbeWarning: Readiness probe warning: Probe terminated redirects, Response body: elsewhere',
    );
    expect(reported().at(-1)).toEqual(['readiness', 'success']);
  });

  it('sleeps a random part of the period first when the kubelet has just started', async () => {
    const late = new ProbeManager({
      prober: new Prober({
        runtime: {
          execSync: async () => {
            attempts.push(seconds());
            return exec();
          },
        },
        http: { get: () => Promise.reject(new Error('no')) },
        tcp: undefined,
        recorder: { event: () => undefined, nodeEvent: () => undefined },
      }),
      podStatus: () => running('a'),
      random: () => 0.5,
      gates: featureGates(),
      tasks,
      deliver: () => undefined,
    });
    late.start(background(clock, new Tracer(), 'main', controller.signal));
    late.addPod(newPod('web', { containers: [{ name: 'app', livenessProbe: command }] }));
    await clock.advance(6000);
    expect(attempts).toEqual([5]);
  });
});
