/**
 * Kills the relay and the server of an observed node with SIGKILL, by turns, while pods start and end on a genuine
 * runtime: only calls in flight are lost, and what they leave can be removed and started again.
 */
import { once } from 'node:events';
import { join } from 'node:path';
import type { ContractEnvironment } from '@podscope/cri/testing';
import { dockershimOverGrpc } from '@podscope/dockershim/testing/contract';
import { expect, it, vi } from 'vitest';
import { containerdEnvironment } from '../runtime/testing/containerd-environment.ts';
import { churn, type Outage, type Recorded, unexplained } from './testing/churn.ts';
import { type KillableRelay, kill, killableRelay } from './testing/killable-relay.ts';
import { sandboxConfigOf } from './testing/sandbox-config.ts';
import { startDebugger } from './testing/start-debugger.ts';

/** The number of kills of each. */
const kills = Number(process.env['PODSCOPE_KILLS'] ?? 3);
const limit = 60_000 * (kills + 5);
const soon = { timeout: 120_000, interval: 50 };
/** The number of pods that always start or end. */
const inFlight = 3;

interface StartedPod {
  readonly podSandboxId: string;
  readonly containerId: string;
}

/** Starts a pod of one container that sleeps. */
async function startPod(environment: ContractEnvironment, name: string, recorded: Recorded): Promise<StartedPod> {
  const { image, logDirectory, cgroupParent } = environment;
  const { runtime } = environment.runtime;
  const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;
  const linux = { securityContext: { namespaceOptions }, ...(cgroupParent === undefined ? {} : { cgroupParent }) };
  const labels = {
    'io.kubernetes.pod.name': name,
    'io.kubernetes.pod.namespace': 'default',
    'io.kubernetes.pod.uid': `uid-of-${name}`,
  };
  const base = sandboxConfigOf(name);
  const config = { ...base, labels, logDirectory: logDirectory ? `${logDirectory}/${name}` : '', linux };
  const { podSandboxId } = await recorded(runtime.runPodSandbox(environment.ctx(), { config }));
  const container = {
    metadata: { name: 'app', attempt: 0 },
    image: { image },
    command: ['sleep', '3600'],
    logPath: logDirectory ? 'app.log' : '',
    labels: { ...labels, 'io.kubernetes.container.name': 'app' },
    annotations: {},
    linux: { resources: {}, securityContext: { namespaceOptions } },
  };
  const { containerId } = await recorded(
    runtime.createContainer(environment.ctx(), { podSandboxId, config: container, sandboxConfig: config }),
  );
  await recorded(runtime.startContainer(environment.ctx(), { containerId }));
  return { podSandboxId, containerId };
}

/** Ends a pod and removes it. */
async function endPod(
  environment: ContractEnvironment,
  { podSandboxId, containerId }: StartedPod,
  recorded: Recorded,
): Promise<void> {
  const { runtime } = environment.runtime;
  await recorded(runtime.stopContainer(environment.ctx(), { containerId, timeout: 0 }));
  await recorded(runtime.stopPodSandbox(environment.ctx(), { podSandboxId }));
  await recorded(runtime.removePodSandbox(environment.ctx(), { podSandboxId }));
}

/** Removes all pods, as the kubelet does after it has lost the result of a call. */
async function removeAll(environment: ContractEnvironment): Promise<void> {
  const { runtime } = environment.runtime;
  const { items } = await runtime.listPodSandbox(environment.ctx(), {});
  for (const { id: podSandboxId } of items) {
    await runtime.stopPodSandbox(environment.ctx(), { podSandboxId });
    await runtime.removePodSandbox(environment.ctx(), { podSandboxId });
  }
}

const runtimes = [
  ['our own dockershim', dockershimOverGrpc, ['local-docker']],
  ['containerd', containerdEnvironment, ['root', 'containerd', 'cni']],
] as const;

for (const [name, start, needs] of runtimes)
  it(`only calls in flight are lost on ${name} when relay and debugger are killed ${kills} times under pods`, {
    meta: { needs },
    timeout: limit,
  }, async () => {
    const started = Promise.withResolvers<KillableRelay>();
    const environment = await start(async (endpoint) => {
      const front = await killableRelay(endpoint);
      started.resolve(front);
      return front;
    });
    const cleanups: (() => unknown)[] = [() => environment.cleanup()];
    try {
      const relay = await started.promise;
      const { runtime } = environment.runtime;
      const probed = await startPod(environment, 'probed', (call) => call);
      const probe = () =>
        runtime.execSync(environment.ctx(), { containerId: probed.containerId, cmd: ['true'], timeout: 60 });
      const pods = churn(inFlight, async (pod, recorded) => {
        await endPod(environment, await startPod(environment, pod, recorded), recorded);
      });
      cleanups.push(() => pods.stop());
      const outages: Outage[] = [];
      for (let count = 0; count < kills; count += 1) {
        const child = await startDebugger(relay.control, join(relay.directory, 'state'), 'cri.ExecSync');
        cleanups.push(() => void child.kill('SIGKILL'));
        const from = performance.now();
        await relay.kill();
        await vi.waitFor(() => runtime.version(environment.ctx(), {}), soon);
        outages.push({ from, to: performance.now() });
        // Probes pass at once until the new relay knows the breakpoint. The last probe stops there.
        const stop = new AbortController();
        const stopped = once(child, 'message').then(() => stop.abort());
        let probing = Promise.resolve<{ readonly exitCode: number }>({ exitCode: 0 });
        while (!stop.signal.aborted) {
          probing = probe();
          await Promise.race([probing, stopped]);
        }
        await kill(child);
        expect(await probing).toMatchObject({ exitCode: 0 });
      }
      await pods.stop();
      expect(pods.succeeded.length).toBeGreaterThan(0);
      expect(unexplained(pods.failed, outages)).toEqual([]);
      await vi.waitFor(() => removeAll(environment), soon);
      expect((await runtime.listPodSandbox(environment.ctx(), {})).items).toEqual([]);
      expect((await runtime.listContainers(environment.ctx(), {})).containers).toEqual([]);
      // No lost call has left its name reserved in the runtime.
      for (const pod of new Set(pods.failed.map((failure) => failure.name)))
        await endPod(environment, await startPod(environment, pod, (call) => call), (call) => call);
      console.log(`${name}: ${pods.succeeded.length} pods, ${pods.failed.length} lost calls, ${kills} kills of each`);
    } finally {
      for (const cleanup of cleanups.toReversed()) await cleanup();
    }
  });
