/**
 * Compares the Docker calls of the simulated runtime with those of dockershim, for each CRI call and release. Both have
 * the same spans: names, requests and outcomes.
 */
import type { ContainerRuntime } from '@podscope/cri';
import { dockerPoints } from '@podscope/flow';
import { createSimulator } from '@podscope/simulated-runtime';
import { background, type Context, EventLog, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type { NetworkPlugin } from '../network/plugin.ts';
import { fakeShim } from '../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';

type Release = 'v1.36' | 'v1.20';

/** A runtime with its event log. Each call advances the clock until the call settles. */
interface Observed {
  readonly name: string;
  readonly runtime: ContainerRuntime;
  readonly ctx: Context;
  readonly clock: VirtualClock;
  readonly log: EventLog;
}

/** Opens the span of the call with which the CNI plugin looks up a sandbox's network namespace. */
const lookUpNamespace: NetworkPlugin['tearDownPod'] = (ctx, { sandboxId }) =>
  ctx.tracer.span(
    ctx,
    dockerPoints.inspectContainer,
    { method: 'GET', path: `/containers/${sandboxId}/json` },
    () => undefined,
  );

/** A network without plugins. Its Docker calls are those of the CNI plugin. */
const network: NetworkPlugin = {
  name: 'cni',
  networkMode: 'none',
  setUpPod: lookUpNamespace,
  tearDownPod: lookUpNamespace,
  podIPs: () => Promise.resolve(['10.244.0.2']),
  status: () => Promise.resolve(),
  podCidrChanged: () => Promise.resolve(),
};

const sandboxImage = 'registry.k8s.io/pause:3.2';

async function onDocker(release: Release): Promise<Observed> {
  const { runtime, ctx, clock, log } = await fakeShim({ release, sandboxImage }, network, (docker) => {
    docker.images.add(sandboxImage);
  });
  return { name: 'docker', runtime, ctx, clock, log };
}

function simulated(release: Release): Observed {
  const clock = new VirtualClock();
  const log = new EventLog(clock);
  const ctx = background(clock, new Tracer(log));
  const runtime = createSimulator({ clock, release, sandboxImage, name: 'test' });
  return { name: 'simulated', runtime, ctx, clock, log };
}

/** A CRI call of a client. */
type Call = (runtime: ContainerRuntime, ctx: Context, ids: Ids) => Promise<unknown>;

interface Ids {
  readonly sandbox: string;
  readonly container: string;
}

/** Returns the requests of the Docker calls since an event. Ids of the two runtimes have the same names. */
function callsAfter({ log }: Observed, seq: number, ids: Ids): readonly string[] {
  const events = log.after(seq);
  const failed = new Set(events.flatMap((event) => (event.type === 'spanEnded' && event.error ? [event.span] : [])));
  const readable = (text: string): string =>
    decodeURIComponent(text)
      .replaceAll('+', ' ')
      .replaceAll(ids.sandbox, '<sandbox>')
      .replaceAll(ids.container, '<container>')
      .replaceAll(/\/containers\/[0-9a-f]{64}\//g, '/containers/<new>/')
      .replaceAll(/sha256:[0-9a-f]{64}/g, '<image>')
      .replaceAll(/\/exec\/[\w-]+\//g, '/exec/<exec>/');
  return events.flatMap((event) => {
    if (event.type !== 'spanStarted' || event.kind !== 'docker') return [];
    const { method, path } = event.attributes;
    return [`${failed.has(event.span) ? '✗ ' : ''}${event.title}: ${String(method)} ${readable(String(path))}`];
  });
}

/** Waits until a call settles. Only the simulator's calls take virtual time. */
const settle = <T>({ name, clock }: Observed, call: Promise<T>): Promise<T> =>
  name === 'simulated' ? clock.advanceWhile(call) : call;

/** A pod whose containers write no log files, so that no runtime changes the machine. */
const withoutLogs = sandboxConfig({ logDirectory: '' });

async function running(observed: Observed): Promise<Ids> {
  const { runtime, ctx } = observed;
  const config = withoutLogs;
  const { podSandboxId } = await settle(observed, runtime.runtime.runPodSandbox(ctx, { config }));
  const request = containerRequest(podSandboxId, { logPath: '' }, withoutLogs);
  const { containerId } = await settle(observed, runtime.runtime.createContainer(ctx, request));
  await settle(observed, runtime.runtime.startContainer(ctx, { containerId }));
  return { sandbox: podSandboxId, container: containerId };
}

const unknown = 'ab'.repeat(32);
const busybox = { image: 'busybox:1.36' };

/** Calls on a pod whose container runs. `then` is a second call, whose answer may come from a cache. */
const calls: Readonly<Record<string, Call>> = {
  'RunPodSandbox with DNS configuration': ({ runtime }, ctx) =>
    runtime.runPodSandbox(ctx, {
      config: sandboxConfig({
        metadata: { name: 'other', namespace: 'default', uid: 'uid-2', attempt: 0 },
        dnsConfig: { servers: ['10.96.0.10'], searches: [], options: [] },
      }),
    }),
  Version: ({ runtime }, ctx) => runtime.version(ctx, { version: '' }),
  'Version twice': async ({ runtime }, ctx) => {
    await runtime.version(ctx, { version: '' });
    await runtime.version(ctx, { version: '' });
  },
  Status: ({ runtime }, ctx) => runtime.status(ctx, {}),
  ListPodSandbox: ({ runtime }, ctx) => runtime.listPodSandbox(ctx, {}),
  'ListPodSandbox of a pod': ({ runtime }, ctx) =>
    runtime.listPodSandbox(ctx, { filter: { labelSelector: { 'io.kubernetes.pod.uid': 'uid-1' } } }),
  'ListPodSandbox of ready sandboxes': ({ runtime }, ctx) =>
    runtime.listPodSandbox(ctx, { filter: { state: { state: 'SANDBOX_READY' } } }),
  'ListPodSandbox by id': ({ runtime }, ctx, { sandbox }) => runtime.listPodSandbox(ctx, { filter: { id: sandbox } }),
  PodSandboxStatus: ({ runtime }, ctx, { sandbox }) => runtime.podSandboxStatus(ctx, { podSandboxId: sandbox }),
  'PodSandboxStatus of an unknown sandbox': ({ runtime }, ctx) =>
    runtime.podSandboxStatus(ctx, { podSandboxId: unknown }),
  'CreateContainer and StartContainer': async ({ runtime }, ctx, { sandbox }) => {
    const second = { metadata: { name: 'second', attempt: 0 }, logPath: '' };
    const { containerId } = await runtime.createContainer(ctx, containerRequest(sandbox, second, withoutLogs));
    await runtime.startContainer(ctx, { containerId });
  },
  ListContainers: ({ runtime }, ctx) => runtime.listContainers(ctx, {}),
  'ListContainers of a sandbox': ({ runtime }, ctx, { sandbox }) =>
    runtime.listContainers(ctx, { filter: { podSandboxId: sandbox } }),
  'ListContainers that run': ({ runtime }, ctx) =>
    runtime.listContainers(ctx, { filter: { state: { state: 'CONTAINER_RUNNING' } } }),
  ContainerStatus: ({ runtime }, ctx, { container }) => runtime.containerStatus(ctx, { containerId: container }),
  'ContainerStatus twice': async ({ runtime }, ctx, { container }) => {
    await runtime.containerStatus(ctx, { containerId: container });
    await runtime.containerStatus(ctx, { containerId: container });
  },
  'ContainerStatus of an unknown container': ({ runtime }, ctx) =>
    runtime.containerStatus(ctx, { containerId: unknown }),
  UpdateContainerResources: ({ runtime }, ctx, { container }) =>
    runtime.updateContainerResources(ctx, { containerId: container, linux: { cpuShares: 512 } }),
  UpdatePodSandboxResources: ({ runtime }, ctx, { sandbox }) =>
    runtime.updatePodSandboxResources(ctx, { podSandboxId: sandbox }),
  ExecSync: ({ runtime }, ctx, { container }) =>
    runtime.execSync(ctx, { containerId: container, cmd: ['true'], timeout: 1 }),
  ContainerStats: ({ runtime }, ctx, { container }) => runtime.containerStats(ctx, { containerId: container }),
  ListContainerStats: ({ runtime }, ctx) => runtime.listContainerStats(ctx, {}),
  PodSandboxStats: ({ runtime }, ctx, { sandbox }) => runtime.podSandboxStats(ctx, { podSandboxId: sandbox }),
  ListPodSandboxStats: ({ runtime }, ctx) => runtime.listPodSandboxStats(ctx, {}),
  StopContainer: ({ runtime }, ctx, { container }) =>
    runtime.stopContainer(ctx, { containerId: container, timeout: 2 }),
  RemoveContainer: ({ runtime }, ctx, { container }) => runtime.removeContainer(ctx, { containerId: container }),
  'RemoveContainer of an unknown container': ({ runtime }, ctx) =>
    runtime.removeContainer(ctx, { containerId: unknown }),
  StopPodSandbox: ({ runtime }, ctx, { sandbox }) => runtime.stopPodSandbox(ctx, { podSandboxId: sandbox }),
  'StopPodSandbox and RemovePodSandbox': async ({ runtime }, ctx, { sandbox }) => {
    await runtime.stopPodSandbox(ctx, { podSandboxId: sandbox });
    await runtime.removePodSandbox(ctx, { podSandboxId: sandbox });
  },
  ListImages: ({ images: service }, ctx) => service.listImages(ctx, {}),
  'ListImages by name': ({ images: service }, ctx) => service.listImages(ctx, { filter: { image: busybox } }),
  ImageStatus: ({ images: service }, ctx) => service.imageStatus(ctx, { image: busybox }),
  'ImageStatus of an unknown image': ({ images: service }, ctx) =>
    service.imageStatus(ctx, { image: { image: 'docker.io/library/nginx:1.27' } }),
  PullImage: ({ images: service }, ctx) => service.pullImage(ctx, { image: { image: 'nginx:1.27' } }),
  'ImageStatus and RemoveImage of a pulled image': async ({ images: service }, ctx) => {
    await service.pullImage(ctx, { image: { image: 'nginx:1.27' } });
    await service.imageStatus(ctx, { image: { image: 'nginx:1.27' } });
  },
  ImageFsInfo: ({ images: service }, ctx) => service.imageFsInfo(ctx, {}),
};

describe.each(['v1.36', 'v1.20'] as const)('with the dockershim of %s, the simulator', (release) => {
  it.each(Object.entries(calls))('makes the same Docker calls in %s', async (_name, call) => {
    const [shim, simulator] = await Promise.all(
      [await onDocker(release), simulated(release)].map(async (observed) => {
        const ids = await running(observed);
        const seq = observed.log.lastSeq;
        // Some calls fail. Their Docker calls are compared, too.
        await settle(
          observed,
          call(observed.runtime, observed.ctx, ids).catch(() => undefined),
        );
        return callsAfter(observed, seq, ids);
      }),
    );
    expect(simulator).toEqual(shim);
  });
});
