/**
 * Tests the kubelet's work outside SyncPod on Docker: probes, static pods, admission, and pods that are deleted in the
 * middle of another action.
 */
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '@podscope/k8s';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { docker, podContainers } from '../support/docker.ts';
import { serveGrpcHealth } from '../support/grpc-health.ts';
import { serveHttps } from '../support/https.ts';
import { containerStatus, type KubeApi } from '../support/kube-api.ts';
import { type Podscope, startWithoutPage } from '../support/podscope.ts';
import { startStallingRegistry } from '../support/stalling-registry.ts';

const image = 'busybox:1.36';
const sh = (script: string): string[] => ['sh', '-c', script];
const sleeper = sh("trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done");

let podscope: Podscope;
let api: KubeApi;
let manifests: string;

beforeAll(async () => {
  manifests = await mkdtemp(join(tmpdir(), 'podscope-manifests-'));
  const gates = ['--feature-gates', 'ContainerStopSignals=true'];
  podscope = await startWithoutPage({ runtime: 'docker', args: ['--manifest-dir', manifests, ...gates] });
  api = podscope.api;
});

afterAll(async () => {
  await podscope.stop();
  await rm(manifests, { recursive: true, force: true });
});

const isReady = (pod: Pod | undefined): boolean =>
  pod?.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false;
const messages = async (name: string): Promise<readonly string[]> =>
  (await api.events(name)).map(({ reason, message }) => `${reason}: ${message}`);
/** Times of a probe. On a busy machine, an answer can take many times the default timeout of one second. */
const probing = { periodSeconds: 1, timeoutSeconds: 60 };
const nothingRuns = async (name: string): Promise<void> => {
  await expect.poll(() => podContainers(podscope, name, { isRunning: true })).toEqual([]);
};

it('a container is stopped with the signal of its lifecycle, another one with SIGTERM', async () => {
  const name = 'stop-signal';
  const container = (each: string): object => ({
    name: each,
    image,
    command: sh("trap 'exit 7' USR1; trap 'exit 9' TERM; touch /ready; while :; do sleep 0.1; done"),
    readinessProbe: { ...probing, exec: { command: ['test', '-e', '/ready'] } },
  });
  await api.createPod(name, {
    os: { name: 'linux' },
    restartPolicy: 'Never',
    containers: [{ ...container('own'), lifecycle: { stopSignal: 'SIGUSR1' } }, container('usual')],
  });
  await api.waitForPod(name, 'Ready', isReady);
  const engine = await Promise.all(
    (await podContainers(podscope, name, { type: 'container' })).map((id) =>
      docker(
        'inspect',
        '--format',
        '{{index .Config.Labels "io.kubernetes.container.name"}} {{.Config.StopSignal}}',
        id,
      ),
    ),
  );
  expect(engine.map((line) => line.trim()).toSorted()).toEqual(['own SIGUSR1', 'usual']);
  // The kubelet stops a pod at its deadline and keeps its status.
  const patch = { spec: { activeDeadlineSeconds: 1 } };
  await api.request('PATCH', `/api/v1/namespaces/default/pods/${name}`, patch, {
    'content-type': 'application/strategic-merge-patch+json',
  });
  const failed = await api.waitForPod(name, 'Failed', (_, { phase }) => phase === 'Failed');
  expect(
    failed?.status?.containerStatuses?.map(({ name: each, state }) => [each, state?.terminated?.exitCode]),
  ).toEqual([
    ['own', 7],
    ['usual', 9],
  ]);
  await api.deletePod({ name }, 0);
});

describe('a probe', () => {
  const serve = sh('mkdir -p /www && echo fine > /www/ok && exec httpd -f -p 8080 -h /www');

  /**
   * Returns the command of a container that relays a port of the pod to a port of this machine, for protocols that the
   * image has no server for. The relay uses the pod's default route, because the engine reports its gateway only after
   * a restart.
   */
  const relay = (from: number, to: number): string[] =>
    sh(`exec nc -ll -p ${from} -e nc "$(ip route | sed -n 's/^default via \\([^ ]*\\).*/\\1/p')" ${to}`);

  it('of each kind makes a container ready that responds', async () => {
    const secure = await serveHttps();
    onTestFinished(() => secure.close());
    const container = (name: string, command: string[], probe: object): object => {
      const probes = {
        startupProbe: { ...probing, failureThreshold: 100, ...probe },
        readinessProbe: { ...probing, ...probe },
      };
      return { name, image, command, ports: name === 'http' ? [{ name: 'web', containerPort: 8080 }] : [], ...probes };
    };
    await api.createPod('probes', {
      terminationGracePeriodSeconds: 1,
      containers: [
        container('http', serve, { httpGet: { path: '/ok', port: 'web' } }),
        container('https', relay(8443, secure.port), { httpGet: { scheme: 'HTTPS', path: '/ok', port: 8443 } }),
        container('tcp', sleeper, { tcpSocket: { port: 8080 } }),
        container('exec', sleeper, { exec: { command: ['test', '-d', '/etc'] } }),
      ],
    });
    const ready = await api.waitForPod('probes', 'Ready', isReady);
    for (const name of ['http', 'https', 'tcp', 'exec'])
      expect(ready && containerStatus(ready, name)).toMatchObject({ started: true, ready: true });
    await api.deletePod({ name: 'probes' }, 0);
  });

  it('of each kind keeps a container unready that doesn’t respond, with an Unhealthy event', async () => {
    const container = (name: string, probe: object): object => ({
      name,
      image,
      command: name === 'web' ? serve : sleeper,
      readinessProbe: { ...probing, ...probe },
    });
    // Only the first 25 events of a pod are recorded, so containers that may answer later are in another pod.
    const closed = [
      container('http', { httpGet: { path: '/ok', port: 81 } }),
      container('tcp', { tcpSocket: { port: 81 } }),
      container('exec', { exec: { command: sh('echo not yet; false') } }),
    ];
    const served = [
      container('web', { httpGet: { path: '/missing', port: 8080 } }),
      container('https', { httpGet: { scheme: 'HTTPS', path: '/ok', port: 8080 } }),
    ];
    const unready = await Promise.all([
      isUnreadyWithEvents('probes-closed', closed, (podIP) => [
        `Get "http://${podIP}:81/ok": dial tcp ${podIP}:81: connect: connection refused`,
        `dial tcp ${podIP}:81: connect: connection refused`,
        'not yet\n',
      ]),
      isUnreadyWithEvents('probes-served', served, (podIP) => [
        'HTTP probe failed with statuscode: 404',
        `Get "https://${podIP}:8080/ok": http: server gave HTTP response to HTTPS client`,
      ]),
    ]);
    expect(unready).toEqual([true, true]);
  });

  /** Runs a pod until it has the Unhealthy events of the outputs, in any order. Returns true if it isn't ready then. */
  async function isUnreadyWithEvents(
    name: string,
    containers: readonly object[],
    outputs: (podIP: string) => readonly string[],
  ): Promise<boolean> {
    await api.createPod(name, { terminationGracePeriodSeconds: 1, containers });
    const { podIP = '' } = (await api.waitForPod(name, 'Running', (_, { phase }) => phase === 'Running'))?.status ?? {};
    const expected = outputs(podIP).map((output) => `Unhealthy: Readiness probe failed: ${output}`);
    await expect.poll(() => messages(name)).toEqual(expect.arrayContaining(expected));
    const isUnready = !isReady(await api.getPod({ name }));
    await api.deletePod({ name }, 0);
    return isUnready;
  }

  it('of kind grpc keeps a container ready while its service answers SERVING', async () => {
    const health = await serveGrpcHealth();
    onTestFinished(() => health.close());
    const app = {
      name: 'app',
      image,
      command: relay(8080, health.port),
      readinessProbe: { ...probing, failureThreshold: 1, grpc: { port: 8080 } },
    };
    await api.createPod('probe-grpc-serving', { terminationGracePeriodSeconds: 1, containers: [app] });
    await api.waitForPod('probe-grpc-serving', 'Ready', isReady);
    health.serving = false;
    await api.waitForPod('probe-grpc-serving', 'not ready', (pod) => pod !== undefined && !isReady(pod));
    await expect
      .poll(() => messages('probe-grpc-serving'))
      .toContain('Unhealthy: Readiness probe failed: service unhealthy (responded with "NOT_SERVING")');
    await api.deletePod({ name: 'probe-grpc-serving' }, 0);
  });

  it('of kind grpc fails with its reason on a port without the health service', async () => {
    const app = { name: 'app', image, command: serve, readinessProbe: { periodSeconds: 1, grpc: { port: 8080 } } };
    await api.createPod('probe-grpc', { terminationGracePeriodSeconds: 1, containers: [app] });
    await expect
      .poll(() => messages('probe-grpc'))
      .toContainEqual(
        expect.stringMatching(
          /^Unhealthy: Readiness probe failed: (timeout: failed to connect service|error: health rpc probe failed)/,
        ),
      );
    await api.deletePod({ name: 'probe-grpc' }, 0);
  });

  it('for liveness restarts a container when it fails', async () => {
    const app = {
      name: 'app',
      image,
      command: sleeper,
      livenessProbe: { exec: { command: ['false'] }, periodSeconds: 1, failureThreshold: 1 },
    };
    await api.createPod('probe-live', { terminationGracePeriodSeconds: 1, containers: [app] });
    await api.waitForPod(
      'probe-live',
      'restarted',
      (pod) => pod !== undefined && (containerStatus(pod, 'app')?.restartCount ?? 0) > 0,
    );
    expect(await messages('probe-live')).toContain('Killing: Container app failed liveness probe, will be restarted');
    await api.deletePod({ name: 'probe-live' }, 0);
  });
});

describe('a static pod', () => {
  const name = 'web-podscope';
  const write = async (text: string): Promise<void> => {
    const staging = join(manifests, '.web.yaml');
    await writeFile(staging, text);
    await rename(staging, join(manifests, 'web.yaml'));
  };
  const manifest = (value: string): string => `
apiVersion: v1
kind: Pod
metadata: { name: web }
spec:
  terminationGracePeriodSeconds: 1
  containers:
    - { name: app, image: "${image}", command: [sh, -c, "sleep 3600"], env: [{ name: VERSION, value: "${value}" }] }
`;

  it('has a mirror pod, follows its file, ignores API changes and ends when its file is removed', async () => {
    await write(manifest('1'));
    const first = await api.waitForPod(name, 'Running', (_, { phase }) => phase === 'Running');
    expect(first?.metadata.annotations).toMatchObject({
      'kubernetes.io/config.source': 'file',
      'kubernetes.io/config.mirror': expect.any(String) as string,
    });
    const [before] = await podContainers(podscope, name, { type: 'container' });

    // A mirror pod accepts changes of the fields that any pod may change, without effect. Other changes are rejected.
    const patch = (change: object): Promise<Response> =>
      api.request('PATCH', `/api/v1/namespaces/default/pods/${name}`, change, {
        'content-type': 'application/strategic-merge-patch+json',
      });
    await patch({
      metadata: { labels: { changed: 'yes' } },
      spec: { containers: [{ name: 'app', image: 'busybox:other' }] },
    });
    await expect(
      patch({ spec: { containers: [{ name: 'app', env: [{ name: 'VERSION', value: '9' }] }] } }),
    ).rejects.toThrow('pod updates may not change fields other than');
    await expect(patch({ metadata: { annotations: { 'kubernetes.io/config.mirror': null } } })).rejects.toThrow(
      'may not remove or update mirror pod annotation',
    );

    // A deleted mirror pod is created again; the containers keep running.
    await api.deletePod({ name }, 0);
    const again = await api.waitForPod(
      name,
      'mirrored again',
      (pod) => pod !== undefined && pod.metadata.uid !== first?.metadata.uid && pod.status?.phase === 'Running',
    );
    expect([again?.metadata.labels, again?.spec.containers[0]?.image]).toEqual([undefined, image]);
    expect(await podContainers(podscope, name, { type: 'container' })).toEqual([before]);

    await write(manifest('2'));
    await api.waitForPod(
      name,
      'the new one',
      (pod, { phase }) =>
        phase === 'Running' &&
        pod?.spec.containers[0]?.env?.[0]?.value === '2' &&
        pod.metadata.deletionTimestamp === undefined,
    );
    await rm(join(manifests, 'web.yaml'));
    await api.waitForPod(name, 'gone', (pod) => pod === undefined);
    await nothingRuns(name);
  });

  it('keeps running when another file is broken, and the broken file is reported', async () => {
    await write(manifest('3'));
    await api.waitForPod(name, 'Running', (_, { phase }) => phase === 'Running');
    await mkdir(manifests, { recursive: true });
    await writeFile(join(manifests, 'broken.yaml'), 'kind: Pod\nspec: {');
    await expect.poll(() => podscope.output()).toContain('broken.yaml');
    expect((await api.getPod({ name }))?.status?.phase).toBe('Running');
    await rm(join(manifests, 'web.yaml'));
    await api.waitForPod(name, 'gone', (pod) => pod === undefined);
  });
});

it('rejects a pod that does not fit, with the reason in its status', async () => {
  await api.createPod('too-much', { containers: [{ name: 'app', image, resources: { requests: { cpu: '1000' } } }] });
  const pod = await api.waitForPod('too-much', 'refused', (_, { phase }) => phase === 'Failed');
  expect(pod?.status).toMatchObject({
    reason: 'OutOfcpu',
    message: expect.stringMatching(/^Pod was rejected: Node didn't have enough resource: cpu/) as string,
  });
  expect(await podContainers(podscope, 'too-much')).toEqual([]);
  await api.deletePod({ name: 'too-much' }, 0);
});

describe('a pod deleted', () => {
  /**
   * Deletes the pod and waits until it has ended.
   * @returns the ids of containers that still run
   */
  const afterDeletion = async (name: string): Promise<readonly string[]> => {
    await api.deletePod({ name });
    await api.waitForPod(name, 'gone', (pod) => pod === undefined);
    return podContainers(podscope, name, { isRunning: true });
  };

  it('during its init container stops all containers', async () => {
    await api.createPod('in-init', {
      terminationGracePeriodSeconds: 1,
      initContainers: [{ name: 'first', image, command: sleeper }],
      containers: [{ name: 'app', image, command: sleeper }],
    });
    await api.waitForPod(
      'in-init',
      'init running',
      (pod) => pod !== undefined && containerStatus(pod, 'first')?.state?.running !== undefined,
    );
    expect(await afterDeletion('in-init')).toEqual([]);
  });

  it('during a back-off stops all containers', async () => {
    await api.createPod('in-backoff', { containers: [{ name: 'app', image, command: sh('exit 1') }] });
    await api.waitForPod(
      'in-backoff',
      'back-off',
      (pod) => pod !== undefined && containerStatus(pod, 'app')?.state?.waiting?.reason === 'CrashLoopBackOff',
    );
    expect(await afterDeletion('in-backoff')).toEqual([]);
  });

  it('during an image pull ends with the pull and leaves no containers', async () => {
    const registry = await startStallingRegistry();
    onTestFinished(() => registry.close());
    await api.createPod('in-pull', { containers: [{ name: 'app', image: registry.image, command: sleeper }] });
    await registry.pulling;
    expect(await messages('in-pull')).toContain(`Pulling: Pulling image "${registry.image}"`);
    await api.deletePod({ name: 'in-pull' });
    // A pull that has started isn't canceled: the pod exists until the pull ends.
    expect((await api.getPod({ name: 'in-pull' }))?.metadata.deletionTimestamp).toBeDefined();
    registry.fail();
    await api.waitForPod('in-pull', 'gone', (pod) => pod === undefined);
    expect(await messages('in-pull')).toContainEqual(expect.stringContaining('filesystem layer verification failed'));
    await nothingRuns('in-pull');
    expect(await podContainers(podscope, 'in-pull', { type: 'container' })).toEqual([]);
  });
});
