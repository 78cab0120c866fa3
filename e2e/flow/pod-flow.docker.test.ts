/** Whole pods on a real Docker engine, seen from outside: through the server's Kubernetes API, and in the engine itself. */
import type { Pod } from '@podscope/k8s';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { docker, podContainerNames, podContainers } from '../support/docker.ts';
import { containerStatus, type KubeApi } from '../support/kube-api.ts';
import { type Podscope, startWithoutPage } from '../support/podscope.ts';
import { type Registry, startRegistry } from '../support/registry.ts';

const image = 'busybox:1.36';
const sh = (script: string): string[] => ['sh', '-c', script];
/** Runs until TERM, and ends at once then. */
const obedient = sh("trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done");

let podscope: Podscope;
let api: KubeApi;

beforeAll(async () => {
  podscope = await startWithoutPage({ runtime: 'docker' });
  api = podscope.api;
});

afterAll(async () => {
  await podscope.stop();
});

/** Without the warning of a machine that has no resolver. */
const reasons = async (name: string): Promise<string[]> =>
  (await api.events(name)).map((event) => event.reason ?? '').filter((reason) => reason !== 'MissingClusterDNS');

async function gone(name: string, grace?: number): Promise<void> {
  await api.deletePod({ name }, grace);
  await api.waitForPod(name, 'deletion', (pod) => pod === undefined);
}

describe('a pod on Docker', () => {
  it('runs: sandbox, container, IP, Ready, events in the order of the kubelet', async () => {
    await api.createPod('happy', { containers: [{ name: 'app', image, command: obedient }] });
    const pod = await api.waitForPod(
      'happy',
      'Ready',
      (_, { conditions }) => conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
    );
    expect(pod?.status).toMatchObject({ phase: 'Running', qosClass: 'BestEffort' });
    expect(pod?.status?.podIP).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
    expect(await reasons('happy')).toEqual(['Pulled', 'Created', 'Started']);
    const uid = pod?.metadata.uid;
    expect((await podContainerNames('happy')).toSorted()).toEqual([`k8s_POD_happy_default_${uid}_0`, `k8s_app_happy_default_${uid}_0`]);
    expect(containerStatus(pod as Pod, 'app')?.containerID).toBe(`docker://${(await podContainers('happy', 'container'))[0]}`);
    await gone('happy');
    // What is dead may wait for the kubelet's garbage collection; nothing runs any more.
    expect(await docker('ps', '--quiet', '--filter', 'label=io.kubernetes.pod.name=happy')).toBe('');
  });

  it('runs init containers to their end before the app', async () => {
    await api.createPod('init-then-app', {
      initContainers: [
        { name: 'first', image, command: sh('echo one') },
        { name: 'second', image, command: sh('echo two') },
      ],
      containers: [{ name: 'app', image, command: obedient }],
    });
    const initializing = await api.waitForPod(
      'init-then-app',
      'PodInitializing',
      (pod) => pod !== undefined && containerStatus(pod, 'app')?.state?.waiting?.reason === 'PodInitializing',
    );
    expect(initializing?.status?.phase).toBe('Pending');
    const pod = (await api.waitForPod('init-then-app', 'Running', (_, { phase }) => phase === 'Running')) as Pod;
    const finished = (name: string): string => containerStatus(pod, name)?.state?.terminated?.finishedAt ?? '';
    expect(containerStatus(pod, 'first')?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(containerStatus(pod, 'second')?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect(finished('first') <= finished('second')).toBe(true);
    expect(finished('second') <= (containerStatus(pod, 'app')?.state?.running?.startedAt ?? '')).toBe(true);
    await gone('init-then-app');
  });

  it('restarts a failing container with a growing back-off (crash loop)', async () => {
    await api.createPod('crash', { containers: [{ name: 'app', image, command: sh('echo about to fail; sleep 3; exit 1') }] });
    const waiting = (await api.waitForPod(
      'crash',
      'CrashLoopBackOff',
      (pod) => pod !== undefined && containerStatus(pod, 'app')?.state?.waiting?.reason === 'CrashLoopBackOff',
    )) as Pod;
    expect(containerStatus(waiting, 'app')?.state?.waiting?.message).toMatch(/^back-off 10s restarting failed container=app pod=crash_default\(/);
    expect(containerStatus(waiting, 'app')?.lastState?.terminated).toMatchObject({ exitCode: 1, reason: 'Error' });
    const later = (await api.waitForPod(
      'crash',
      'a second restart',
      (pod) => pod !== undefined && (containerStatus(pod, 'app')?.restartCount ?? 0) >= 2 && containerStatus(pod, 'app')?.state?.running !== undefined,
    )) as Pod;
    expect(later.status?.phase).toBe('Running');
    expect(await reasons('crash')).toContain('BackOff');
    expect(await api.logs('crash', '?previous=true&container=app')).toContain('about to fail');
    await gone('crash');
  });

  it('ends as the restart policy says', async () => {
    await api.createPod('never', { restartPolicy: 'Never', containers: [{ name: 'app', image, command: sh('exit 3') }] });
    await api.createPod('on-failure', {
      restartPolicy: 'OnFailure',
      volumes: [{ name: 'memory', emptyDir: {} }],
      containers: [
        {
          name: 'app',
          image,
          command: sh('test -f /memory/ran && exit 0; touch /memory/ran; exit 1'),
          volumeMounts: [{ name: 'memory', mountPath: '/memory' }],
        },
      ],
    });
    const never = (await api.waitForPod('never', 'Failed', (_, { phase }) => phase === 'Failed')) as Pod;
    expect(containerStatus(never, 'app')).toMatchObject({ restartCount: 0, state: { terminated: { exitCode: 3, reason: 'Error' } } });
    const onFailure = (await api.waitForPod('on-failure', 'Succeeded', (_, { phase }) => phase === 'Succeeded')) as Pod;
    expect(containerStatus(onFailure, 'app')).toMatchObject({ restartCount: 1, state: { terminated: { exitCode: 0, reason: 'Completed' } } });
    await gone('never');
    await gone('on-failure');
  });

  it('says ErrImagePull, then ImagePullBackOff, for an image that is not there', async () => {
    const registry = await startRegistry();
    try {
      await api.createPod('no-image', { containers: [{ name: 'app', image: `${registry.host}/does-not-exist:v1` }] });
      const reason = (pod: Pod | undefined): string | undefined => pod && containerStatus(pod, 'app')?.state?.waiting?.reason;
      await api.waitForPod('no-image', 'ErrImagePull', (pod) => reason(pod) === 'ErrImagePull');
      const pod = (await api.waitForPod('no-image', 'ImagePullBackOff', (version) => reason(version) === 'ImagePullBackOff')) as Pod;
      expect(pod.status?.phase).toBe('Pending');
      expect(await reasons('no-image')).toEqual(expect.arrayContaining(['Pulling', 'Failed', 'BackOff']));
      // The sandbox has nothing to do with it: it is the first one still.
      expect(await reasons('no-image')).not.toContain('SandboxChanged');
      expect(await podContainers('no-image')).toHaveLength(1);
      await gone('no-image');
    } finally {
      await registry.stop();
    }
  });

  it('is OOMKilled when it exceeds its memory limit', async () => {
    await api.createPod('oom', {
      restartPolicy: 'Never',
      // The child is killed, the program ends a while later: an engine that hears of both at once may forget the one.
      containers: [{ name: 'app', image, command: sh('tail /dev/zero; status=$?; sleep 1; exit $status'), resources: { limits: { memory: '16Mi' } } }],
    });
    const pod = (await api.waitForPod('oom', 'Failed', (_, { phase }) => phase === 'Failed')) as Pod;
    expect(containerStatus(pod, 'app')?.state?.terminated).toMatchObject({ reason: 'OOMKilled', exitCode: 137 });
    await gone('oom');
  });

  it('kills a container whose postStart hook fails', async () => {
    await api.createPod('post-start', {
      containers: [{ name: 'app', image, command: obedient, lifecycle: { postStart: { exec: { command: sh('exit 7') } } } }],
    });
    const pod = (await api.waitForPod(
      'post-start',
      'PostStartHookError',
      (version) => version !== undefined && containerStatus(version, 'app')?.state?.waiting?.reason === 'PostStartHookError',
    )) as Pod;
    expect(containerStatus(pod, 'app')?.state?.waiting?.message).toContain('exit');
    expect(await reasons('post-start')).toEqual(expect.arrayContaining(['Created', 'Started', 'FailedPostStartHook', 'Killing']));
    await gone('post-start', 2);
  });

  it('runs preStop, then TERM, then waits out the grace period', async () => {
    await api.createPod('pre-stop', {
      terminationGracePeriodSeconds: 4,
      volumes: [{ name: 'shared', emptyDir: {} }],
      containers: [
        { name: 'stubborn', image, command: sh("trap '' TERM; while :; do sleep 1; done") },
        {
          name: 'polite',
          image,
          command: obedient,
          lifecycle: { preStop: { exec: { command: sh('echo goodbye > /proc/1/fd/1') } } },
        },
      ],
    });
    await api.waitForPod(
      'pre-stop',
      'Running',
      (pod, { phase }) =>
        phase === 'Running' &&
        pod !== undefined &&
        containerStatus(pod, 'polite')?.state?.running !== undefined &&
        containerStatus(pod, 'stubborn')?.state?.running !== undefined,
    );
    await api.deletePod({ name: 'pre-stop' });
    const terminating = await api.waitForPod('pre-stop', 'deletionTimestamp', (pod) => pod?.metadata.deletionTimestamp !== undefined);
    expect(terminating?.metadata.deletionGracePeriodSeconds).toBe(4);
    let last: Pod | undefined;
    await api.waitForPod('pre-stop', 'deletion', (pod) => {
      last = pod ?? last;
      return pod === undefined;
    });
    expect(containerStatus(last as Pod, 'stubborn')?.state?.terminated?.exitCode).toBe(137);
    expect(containerStatus(last as Pod, 'polite')?.state?.terminated?.exitCode).toBe(0);
    expect(await reasons('pre-stop')).toContain('Killing');
  });

  it('makes a new sandbox, attempt 1, when the old one is killed from outside', async () => {
    await api.createPod('sandbox-killed', { terminationGracePeriodSeconds: 2, containers: [{ name: 'app', image, command: obedient }] });
    await api.waitForPod('sandbox-killed', 'Running', (_, { phase }) => phase === 'Running');
    const [sandbox = ''] = await podContainers('sandbox-killed', 'podsandbox');
    await docker('kill', sandbox);
    await api.waitForPod(
      'sandbox-killed',
      'a restart',
      (pod) => pod !== undefined && (containerStatus(pod, 'app')?.restartCount ?? 0) === 1 && containerStatus(pod, 'app')?.state?.running !== undefined,
    );
    expect(await reasons('sandbox-killed')).toContain('SandboxChanged');
    expect((await podContainerNames('sandbox-killed')).some((name) => name.startsWith('k8s_POD_sandbox-killed_') && name.endsWith('_1'))).toBe(true);
    await gone('sandbox-killed');
  });
});

describe('images from a registry', () => {
  const registries: Registry[] = [];
  afterAll(async () => {
    for (const registry of registries) await registry.stop();
  });

  it('are pulled without credentials from an open one', async () => {
    const registry = await startRegistry();
    registries.push(registry);
    const reference = await registry.push(image, 'open/busybox:v1');
    await api.createPod('open-pull', { containers: [{ name: 'app', image: reference, command: obedient, imagePullPolicy: 'Always' }] });
    await api.waitForPod('open-pull', 'Running', (_, { phase }) => phase === 'Running');
    expect(await reasons('open-pull')).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
    await gone('open-pull');
    await docker('rmi', reference);
  });

  it('are pulled with the pod’s pull secret from one that wants credentials, and only then', async () => {
    const registry = await startRegistry({ auth: true });
    registries.push(registry);
    const reference = await registry.push(image, 'closed/busybox:v1');
    const { username = '', password = '' } = registry.credentials ?? {};
    await api.create({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'pull' },
      type: 'kubernetes.io/dockerconfigjson',
      stringData: { '.dockerconfigjson': JSON.stringify({ auths: { [registry.host]: { username, password } } }) },
    });
    await api.createPod('refused', { containers: [{ name: 'app', image: reference }] });
    await api.waitForPod('refused', 'ErrImagePull', (pod) => pod !== undefined && containerStatus(pod, 'app')?.state?.waiting?.reason === 'ErrImagePull');
    await gone('refused');
    await api.createPod('admitted', { imagePullSecrets: [{ name: 'pull' }], containers: [{ name: 'app', image: reference, command: obedient }] });
    await api.waitForPod('admitted', 'Running', (_, { phase }) => phase === 'Running');
    await gone('admitted');
    await docker('rmi', reference);
    expect(podscope.output()).not.toContain(password);
  });
});
