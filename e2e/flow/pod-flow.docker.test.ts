/**
 * Tests whole pods from outside: on the Docker engine, and with `--runtime unix://…` on our own dockershim (served over
 * gRPC) and on containerd, without and with the relay.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pod } from '@podscope/k8s';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { derivedImage, docker } from '../support/docker.ts';
import { containerStatus, type KubeApi } from '../support/kube-api.ts';
import {
  behindRelay,
  dockerEngine,
  type PodOnRuntime,
  type PodRuntime,
  serveContainerd,
  serveDockershim,
} from '../support/pod-runtimes.ts';
import { type Podscope, startWithoutPage } from '../support/podscope.ts';
import { startRegistry } from '../support/registry.ts';

const image = 'busybox:1.36';
const sh = (script: string): string[] => ['sh', '-c', script];
/** A script that runs until it receives TERM, and then exits at once. */
const obedient = sh("trap 'exit 0' TERM; while :; do sleep 3600 & wait $!; done");

/** `PODSCOPE_TEST_LONG=1` also runs every test on Podscope's own dockershim over gRPC, and through the relay. */
const isLong = process.env['PODSCOPE_TEST_LONG'] === '1';

const behindTheRelay = [
  ['our own dockershim through the relay', behindRelay(serveDockershim), ['local-docker']],
  ['containerd through the relay', behindRelay(serveContainerd), ['root', 'containerd', 'cni']],
] as const;

const runtimes = [
  ['the Docker engine', dockerEngine, ['local-docker']],
  ['our own dockershim over gRPC', serveDockershim, ['local-docker']],
  ['containerd', serveContainerd, ['root', 'containerd', 'cni']],
  ...(isLong ? behindTheRelay : []),
] as const;

for (const [name, serve, needs] of runtimes)
  describe(`a pod on ${name}`, { meta: { needs } }, () => {
    let runtime: PodRuntime;
    let podscope: Podscope;
    let api: KubeApi;
    let stateDir: string;
    /**
     * Images that the tests create. They are removed after the runtime, because exited containers need them until then.
     */
    const images: string[] = [];

    beforeAll(async () => {
      runtime = await serve();
      stateDir = await mkdtemp(join(tmpdir(), 'podscope-flow-'));
      podscope = await startWithoutPage({ runtime: runtime.runtime, stateDir });
      api = podscope.api;
    });

    afterAll(async () => {
      await podscope?.stop();
      await runtime?.stop();
      for (const name of images) await docker('rmi', name);
      await rm(stateDir, { recursive: true, force: true, maxRetries: 10 });
    });

    /** Returns the reasons of the pod's events, except the warning that a machine without a resolver causes. */
    const reasons = async (name: string): Promise<string[]> =>
      (await api.events(name)).map((event) => event.reason ?? '').filter((reason) => reason !== 'MissingClusterDNS');

    const uids = new Map<string, string>();
    const createPod = async (name: string, spec: Record<string, unknown>): Promise<void> => {
      uids.set(name, (await api.createPod(name, spec)).metadata.uid ?? '');
    };
    /** Returns the state of the pod in its runtime, even after its deletion and while no server runs. */
    const onRuntime = (name: string): Promise<PodOnRuntime> => runtime.pod(uids.get(name) ?? '');

    const gone = async (name: string): Promise<void> => {
      await api.deletePod({ name });
      await api.waitForPod(name, 'deletion', (pod) => pod === undefined);
      const left = await onRuntime(name);
      expect(left.containers.filter(({ state }) => state === 'CONTAINER_RUNNING')).toEqual([]);
      expect(left.sandboxes.filter(({ state }) => state === 'SANDBOX_READY')).toEqual([]);
    };

    const waitForReady = (name: string): Promise<Pod | undefined> =>
      api.waitForPod(
        name,
        'Ready',
        (__, { conditions }) => conditions?.some(({ type, status }) => type === 'Ready' && status === 'True') ?? false,
      );

    // A normal run skips the third variant, because the pod already runs on the engine and through gRPC on containerd.
    const isShort = serve === serveDockershim && !isLong;

    const unlessShort = isShort ? () => undefined : it;

    // Each test has its own pods, so the tests run concurrently.
    describe.concurrent('runs while other pods run on the same engine', () => {
      it('gets a sandbox, a container, an IP and Ready, with the kubelet’s events in order', async () => {
        await createPod('happy', { containers: [{ name: 'app', image, command: obedient }] });
        const pod = await waitForReady('happy');
        expect(pod?.status).toMatchObject({ phase: 'Running', qosClass: 'BestEffort' });
        expect(pod?.status?.podIP).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
        expect(await reasons('happy')).toEqual(['Pulled', 'Created', 'Started']);
        const { sandboxes, containers } = await onRuntime('happy');
        expect(sandboxes).toEqual([expect.objectContaining({ attempt: 0, state: 'SANDBOX_READY' })]);
        expect(containers).toEqual([expect.objectContaining({ name: 'app', attempt: 0, state: 'CONTAINER_RUNNING' })]);
        expect(containerStatus(pod as Pod, 'app')?.containerID).toBe(`${runtime.name}://${containers[0]?.id}`);
        await gone('happy');
      });

      unlessShort('runs init containers to their end before the app', async () => {
        await createPod('init-then-app', {
          initContainers: [
            // Long enough for a busy machine to see the pod before its containers run.
            { name: 'first', image, command: sh('echo one; sleep 10') },
            { name: 'second', image, command: sh('echo two') },
          ],
          containers: [{ name: 'app', image, command: obedient }],
        });
        const initializing = await api.waitForPod(
          'init-then-app',
          'PodInitializing',
          (version) =>
            version !== undefined && containerStatus(version, 'app')?.state?.waiting?.reason === 'PodInitializing',
        );
        expect(initializing?.status?.phase).toBe('Pending');
        const pod = (await waitForReady('init-then-app')) as Pod;
        const finished = (name: string): string => containerStatus(pod, name)?.state?.terminated?.finishedAt ?? '';
        for (const name of ['first', 'second'])
          expect(containerStatus(pod, name)?.state?.terminated).toMatchObject({ exitCode: 0, reason: 'Completed' });
        expect(finished('first') <= finished('second')).toBe(true);
        expect(finished('second') <= (containerStatus(pod, 'app')?.state?.running?.startedAt ?? '')).toBe(true);
        expect(await api.logs('init-then-app', '?container=second')).toBe('two\n');
        await gone('init-then-app');
      });

      unlessShort('restarts a failing container with a growing back-off (crash loop)', async () => {
        await createPod('crash', {
          containers: [{ name: 'app', image, command: sh('echo about to fail; sleep 1; exit 1') }],
        });
        const waiting = (await api.waitForPod(
          'crash',
          'CrashLoopBackOff',
          (pod) => pod !== undefined && containerStatus(pod, 'app')?.state?.waiting?.reason === 'CrashLoopBackOff',
        )) as Pod;
        // On a busy machine the first back-off can pass before a sync shows it.
        expect(containerStatus(waiting, 'app')?.state?.waiting?.message).toMatch(
          /^back-off [1248]0s restarting failed container=app pod=crash_default\(/,
        );
        expect(containerStatus(waiting, 'app')?.lastState?.terminated).toMatchObject({
          exitCode: 1,
          reason: 'Error',
        });
        const later = await api.waitForPod(
          'crash',
          'a second restart',
          (pod) => pod !== undefined && (containerStatus(pod, 'app')?.restartCount ?? 0) >= 2,
        );
        expect(later?.status?.phase).toBe('Running');
        expect(await reasons('crash')).toContain('BackOff');
        // Poll, because the previous container can be collected before a sync shows its successor in the status.
        await vi.waitFor(
          async () =>
            expect(await api.logs('crash', '?previous=true&container=app').catch(String)).toContain('about to fail'),
          { timeout: 60_000, interval: 500 },
        );
        await gone('crash');
      });

      unlessShort('is OOMKilled when it exceeds its memory limit', async () => {
        await createPod('oom', {
          restartPolicy: 'Never',
          // Kill the child process, and let the program exit a moment later. An engine that gets both events at once
          // may lose one of them.
          containers: [
            {
              name: 'app',
              image,
              command: sh('tail /dev/zero; status=$?; sleep 8; exit $status'),
              resources: { limits: { memory: '16Mi' } },
            },
          ],
        });
        const pod = (await api.waitForPod('oom', 'Failed', (__, { phase }) => phase === 'Failed')) as Pod;
        const { reason, containerID = '' } = containerStatus(pod, 'app')?.state?.terminated ?? {};
        // A busy containerd can miss the kernel's notification of the kill. Then it, Docker above it, and the kubelet
        // know only the exit code.
        const isMissed =
          runtime.name === 'containerd'
            ? reason === 'Error'
            : (await docker('inspect', '--format', '{{.State.OOMKilled}}', containerID.split('//')[1] ?? '')) ===
              'false';
        expect(containerStatus(pod, 'app')?.state?.terminated).toMatchObject({
          reason: isMissed ? 'Error' : 'OOMKilled',
          exitCode: 137,
        });
        await gone('oom');
      });

      unlessShort('runs preStop, then TERM, then waits out the grace period', async () => {
        await createPod('pre-stop', {
          terminationGracePeriodSeconds: 15,
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
        await waitForReady('pre-stop');
        // The watch begins before the deletion: on a busy machine the pod may be gone before the answer arrives.
        const versions: Pod[] = [];
        const deletion = api.waitForPod('pre-stop', 'deletion', (pod) => {
          if (pod) versions.push(pod);
          return pod === undefined;
        });
        await api.deletePod({ name: 'pre-stop' });
        await deletion;
        const terminating = versions.find((pod) => pod.metadata.deletionTimestamp !== undefined);
        expect(terminating?.metadata.deletionGracePeriodSeconds).toBe(15);
        const last = versions.at(-1);
        expect(containerStatus(last as Pod, 'stubborn')?.state?.terminated?.exitCode).toBe(137);
        expect(containerStatus(last as Pod, 'polite')?.state?.terminated?.exitCode).toBe(0);
        expect(await reasons('pre-stop')).toContain('Killing');
      });

      unlessShort(
        'says ErrImagePull, then ImagePullBackOff, for an image that is not there',
        {
          meta: { needs: [...needs, 'registry'] },
        },
        async () => {
          const registry = await startRegistry();
          try {
            await createPod('no-image', {
              containers: [{ name: 'app', image: `${registry.host}/does-not-exist:v1` }],
            });
            const reason = (pod: Pod | undefined): string | undefined =>
              pod && containerStatus(pod, 'app')?.state?.waiting?.reason;
            await api.waitForPod('no-image', 'ErrImagePull', (pod) => reason(pod) === 'ErrImagePull');
            const pod = await api.waitForPod(
              'no-image',
              'ImagePullBackOff',
              (version) => reason(version) === 'ImagePullBackOff',
            );
            expect(pod?.status?.phase).toBe('Pending');
            expect(await reasons('no-image')).toEqual(expect.arrayContaining(['Pulling', 'Failed', 'BackOff']));
            // The failure doesn't affect the sandbox, so the pod still has its first sandbox.
            expect(await reasons('no-image')).not.toContain('SandboxChanged');
            expect(await onRuntime('no-image')).toEqual({
              sandboxes: [expect.objectContaining({ attempt: 0 })],
              containers: [],
            });
            await gone('no-image');
          } finally {
            await registry.stop();
          }
        },
      );

      unlessShort('ends as the restart policy says', async () => {
        await createPod('never', {
          restartPolicy: 'Never',
          containers: [{ name: 'app', image, command: sh('exit 3') }],
        });
        await createPod('on-failure', {
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
        const never = (await api.waitForPod('never', 'Failed', (__, { phase }) => phase === 'Failed')) as Pod;
        expect(containerStatus(never, 'app')).toMatchObject({
          restartCount: 0,
          state: { terminated: { exitCode: 3, reason: 'Error' } },
        });
        const onFailure = (await api.waitForPod(
          'on-failure',
          'Succeeded',
          (__, { phase }) => phase === 'Succeeded',
        )) as Pod;
        expect(containerStatus(onFailure, 'app')).toMatchObject({
          restartCount: 1,
          state: { terminated: { exitCode: 0, reason: 'Completed' } },
        });
        await gone('never');
        await gone('on-failure');
      });

      unlessShort('kills a container whose postStart hook fails', async () => {
        await createPod('post-start', {
          terminationGracePeriodSeconds: 2,
          containers: [
            { name: 'app', image, command: obedient, lifecycle: { postStart: { exec: { command: sh('exit 7') } } } },
          ],
        });
        const reason = (pod: Pod | undefined): string | undefined =>
          pod && containerStatus(pod, 'app')?.state?.waiting?.reason;
        const pod = (await api.waitForPod(
          'post-start',
          'PostStartHookError',
          (version) => reason(version) === 'PostStartHookError',
        )) as Pod;
        expect(containerStatus(pod, 'app')?.state?.waiting?.message).toContain('exit');
        expect(await reasons('post-start')).toEqual(
          expect.arrayContaining(['Created', 'Started', 'FailedPostStartHook', 'Killing']),
        );
        await gone('post-start');
      });

      unlessShort('has a new sandbox, attempt 1, when the old one is killed', async () => {
        await createPod('sandbox-killed', {
          terminationGracePeriodSeconds: 2,
          containers: [{ name: 'app', image, command: obedient }],
        });
        await waitForReady('sandbox-killed');
        const [sandbox] = (await onRuntime('sandbox-killed')).sandboxes;
        await runtime.killSandbox(sandbox?.id ?? '');
        await api.waitForPod(
          'sandbox-killed',
          'a restart',
          (pod) =>
            pod !== undefined &&
            containerStatus(pod, 'app')?.restartCount === 1 &&
            containerStatus(pod, 'app')?.state?.running !== undefined,
        );
        expect(await reasons('sandbox-killed')).toContain('SandboxChanged');
        const { sandboxes } = await onRuntime('sandbox-killed');
        expect(sandboxes.filter(({ state }) => state === 'SANDBOX_READY')).toEqual([
          expect.objectContaining({ attempt: 1 }),
        ]);
        await gone('sandbox-killed');
      });

      it('pulls its image from a registry, with credentials if the registry requires them', {
        meta: { needs: [...needs, 'registry'] },
      }, async () => {
        const [open, closed] = await Promise.all([startRegistry(), startRegistry({ auth: true })]);
        // The image needs its own id: the kubelet looks up credentials by image id, and other tests use the id of
        // busybox.
        const own = await derivedImage(image);
        images.push(own);
        const [free, guarded] = [await open.push(own, 'open/app:v1'), await closed.push(own, 'closed/app:v1')];
        try {
          const auths = { [closed.host]: closed.credentials };
          const secret = {
            type: 'kubernetes.io/dockerconfigjson',
            stringData: { '.dockerconfigjson': JSON.stringify({ auths }) },
          };
          await api.create({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'pull' }, ...secret });
          await createPod('refused', { containers: [{ name: 'app', image: guarded }] });
          await api.waitForPod(
            'refused',
            'ErrImagePull',
            (pod) => pod !== undefined && containerStatus(pod, 'app')?.state?.waiting?.reason === 'ErrImagePull',
          );
          await gone('refused');
          await createPod('free', { containers: [{ name: 'app', image: free, command: obedient }] });
          await createPod('admitted', {
            imagePullSecrets: [{ name: 'pull' }],
            containers: [{ name: 'app', image: guarded, command: obedient }],
          });
          for (const name of ['free', 'admitted']) {
            await waitForReady(name);
            expect(await reasons(name)).toEqual(['Pulling', 'Pulled', 'Created', 'Started']);
            await gone(name);
          }
          for (const name of [free, guarded]) await runtime.forgetImage(name);
          expect(podscope.output()).not.toContain(closed.credentials?.password);
        } finally {
          await Promise.all([open.stop(), closed.stop()]);
        }
      });
    });

    it('keeps its containers when the server is killed and restarted, as pods of other owners do', async () => {
      await createPod('adopted', { containers: [{ name: 'app', image, command: obedient }] });
      await waitForReady('adopted');
      const before = await onRuntime('adopted');
      await podscope.kill();

      // Another server on the same runtime doesn't see the pod, and doesn't remove it when it ends.
      const other = await startWithoutPage({ runtime: runtime.runtime });
      await other.api.createPod('beside', { containers: [{ name: 'app', image, command: obedient }] });
      await other.api.waitForPod('beside', 'Running', (__, { phase }) => phase === 'Running');
      expect(await other.stop()).toBe(0);
      expect(await onRuntime('adopted')).toEqual(before);

      podscope = await startWithoutPage({ runtime: runtime.runtime, stateDir });
      api = podscope.api;
      const pod = (await waitForReady('adopted')) as Pod;
      expect(await onRuntime('adopted')).toEqual(before);
      expect(containerStatus(pod, 'app')?.restartCount).toBe(0);
      expect(await podscope.stop()).toBe(0);
      expect((await onRuntime('adopted')).containers.filter(({ state }) => state === 'CONTAINER_RUNNING')).toEqual([]);
    });
  });
