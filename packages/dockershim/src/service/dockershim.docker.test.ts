import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ContainerEventResponse, Mount } from '@podscope/cri';
import { background, Tracer, VirtualClock, withSignal } from '@podscope/trace';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDockershim } from '../create-dockershim.ts';
import { connectDocker } from '../docker/dockerode-client.ts';
import { dockerEndpoint } from '../docker/endpoint.ts';
import { labelKeys } from '../objects/labels.ts';
import { makeContainerName, makeSandboxName } from '../objects/names.ts';
import { collect } from '../testing/collect.ts';
import { dockerProxy } from '../testing/docker-proxy.ts';
import { realClock } from '../testing/real-clock.ts';
import { busyboxImage, type RealShim, realShim } from '../testing/real-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';
import { waitUntil } from '../testing/wait.ts';

const run = crypto.randomUUID().slice(0, 8);
let last = 0;
const freshConfig = (overrides: Parameters<typeof sandboxConfig>[0] = {}) => {
  const name = `dockershim-${run}-${++last}`;
  return sandboxConfig({
    metadata: { name, namespace: 'podscope-test', uid: crypto.randomUUID(), attempt: 0 },
    hostname: name,
    ...overrides,
  });
};

async function start({ runtime: { runtime }, ctx }: RealShim, script: string, config = freshConfig()) {
  const { podSandboxId } = await runtime.runPodSandbox(ctx, { config });
  const { containerId } = await runtime.createContainer(
    ctx,
    containerRequest(podSandboxId, { command: ['sh', '-c', script] }, config),
  );
  await runtime.startContainer(ctx, { containerId });
  return { podSandboxId, containerId, config };
}

const short = (id: string): string => id.slice(0, 12);
const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Returns the ids of the processes in a network namespace. @param namespace the target of its link in procfs */
async function processesIn(namespace: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const links = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/ns/net`).catch(() => '')));
  return pids.filter((_, index) => links[index] === namespace);
}

describe('dockershim on the Docker Engine', () => {
  let shim: RealShim;
  beforeAll(async () => {
    shim = await realShim();
  });
  afterAll(() => shim?.cleanup());

  it('emits the five steps of a sandbox under its CRI call with their Docker calls', async () => {
    const from = shim.log.lastSeq;
    await shim.runtime.runtime.runPodSandbox(shim.ctx, { config: freshConfig() });
    const started = shim.log.after(from).filter((event) => event.type === 'spanStarted');
    const root = started[0];
    expect(root?.point).toBe('cri.RunPodSandbox');
    expect(started.filter(({ parent }) => parent === root?.span).map(({ title }) => title)).toEqual([
      'Ensure the sandbox image',
      'Create the sandbox container',
      'Write the checkpoint',
      'Start the sandbox container',
      'Set up networking',
    ]);
    const create = started.findLast(({ point }) => point === 'docker.CreateContainer');
    expect(create?.attributes).toMatchObject({
      method: 'POST',
      path: expect.stringMatching(/^\/containers\/create\?name=k8s_POD_/),
      body: { Hostname: expect.any(String) },
    });
    const answer = shim.log.after(from).find((event) => event.type === 'spanEnded' && event.span === create?.span);
    expect(answer).toMatchObject({
      outcome: 'ok',
      attributes: { response: { Id: expect.stringMatching(/^[0-9a-f]{64}$/) } },
    });
  });

  // Only root writes the file itself. Otherwise the engine does, in its own order.
  it("gives the pod's DNS configuration to its containers", { meta: { needs: ['mounts'] } }, async () => {
    const dnsConfig = { servers: ['10.9.8.7'], searches: ['a.example', 'b.example'], options: ['ndots:5'] };
    const { containerId } = await start(shim, 'sleep 3600', freshConfig({ dnsConfig }));
    const { stdout } = await shim.runtime.runtime.execSync(shim.ctx, {
      containerId,
      cmd: ['cat', '/etc/resolv.conf'],
      timeout: 120,
    });
    expect(text(stdout)).toBe('nameserver 10.9.8.7\nsearch a.example b.example\noptions ndots:5\n');
  });

  it('publishes host ports, and leaves no objects of a second pod with the same host port', async () => {
    // The host port is below the range from which Linux assigns ports to connections and to listeners that request no
    // port.
    const portMappings = [{ protocol: 'TCP', containerPort: 8080, hostPort: 28_917, hostIp: '127.0.0.1' }] as const;
    await start(
      shim,
      'mkdir /www; echo published > /www/index.html; exec httpd -f -p 8080 -h /www',
      freshConfig({ portMappings }),
    );
    await waitUntil(
      async () => (await fetch('http://127.0.0.1:28917/').catch(() => undefined))?.ok === true,
      'the published port',
    );
    expect(await (await fetch('http://127.0.0.1:28917/')).text()).toBe('published\n');
    const second = freshConfig({ portMappings });
    await expect(shim.runtime.runtime.runPodSandbox(shim.ctx, { config: second })).rejects.toThrow(
      /failed to start sandbox container .*port is already allocated/,
    );
    const left = await shim.docker.listContainers({ all: true, filters: { name: [makeSandboxName(second.metadata)] } });
    expect(left).toEqual([]);
  });

  describe('a container with a stop signal', () => {
    const script = 'trap "exit 7" USR1; trap "exit 9" TERM; touch /ready; while :; do sleep 0.1; done';

    /** Starts the script, stops the container once its traps are set, and returns its exit code. */
    async function exitCodeOf(config: Parameters<typeof containerRequest>[1]): Promise<number | undefined> {
      const { ctx } = shim;
      const { runtime } = shim.runtime;
      const sandbox = freshConfig();
      const { podSandboxId } = await runtime.runPodSandbox(ctx, { config: sandbox });
      const { containerId } = await runtime.createContainer(
        ctx,
        containerRequest(podSandboxId, { command: ['sh', '-c', script], ...config }, sandbox),
      );
      await runtime.startContainer(ctx, { containerId });
      await waitUntil(async () => {
        const { exitCode } = await runtime.execSync(ctx, { containerId, cmd: ['test', '-e', '/ready'], timeout: 120 });
        return exitCode === 0;
      }, 'the traps of the container');
      await runtime.stopContainer(ctx, { containerId, timeout: 30 });
      return (await runtime.containerStatus(ctx, { containerId, verbose: false })).status?.exitCode;
    }

    it('receives the signal of its configuration', async () => {
      expect(await exitCodeOf({ stopSignal: 'SIGUSR1' })).toBe(7);
    });

    it('receives the signal of its image, and SIGTERM without one', async () => {
      const repo = `podscope-stop-signal-${run}`;
      // An image that is created from a container has the stop signal of the container's configuration.
      const Labels = { [labelKeys.instance]: shim.instance };
      const base = await shim.docker.createContainer({ Image: busyboxImage, Labels, StopSignal: 'SIGUSR1' });
      await base.commit({ repo, tag: 'test' });
      onTestFinished(async () => {
        await shim.docker.getImage(`${repo}:test`).remove({ force: true });
      });
      expect(await exitCodeOf({ image: { image: `${repo}:test` } })).toBe(7);
      expect(await exitCodeOf({})).toBe(9);
    });
  });

  // Docker has no call that kills a command, so dockershim kills the processes itself.
  it('kills a command and its children at the timeout', { meta: { needs: ['mounts'] } }, async () => {
    const { containerId } = await start(shim, 'sleep 3600');
    const { runtime } = shim.runtime;
    const cmd = ['sh', '-c', 'sleep 4711 & sleep 4712'];
    await expect(runtime.execSync(shim.ctx, { containerId, cmd, timeout: 1 })).rejects.toMatchObject({
      code: 'DeadlineExceeded',
    });
    await waitUntil(async () => {
      const { stdout } = await runtime.execSync(shim.ctx, { containerId, cmd: ['ps'], timeout: 120 });
      return !/sleep 471[12]/.test(text(stdout));
    }, 'the command to be gone');
  });

  it("stops port-forward's process in the sandbox's network namespace", { meta: { needs: ['mounts'] } }, async () => {
    const { podSandboxId } = await shim.runtime.runtime.runPodSandbox(shim.ctx, { config: freshConfig() });
    const { State } = await shim.docker.getContainer(podSandboxId).inspect();
    const namespace = await readlink(`/proc/${State.Pid}/ns/net`);
    const source = (async function* (): AsyncGenerator<Uint8Array> {})();
    // The clock doesn't advance, so the process isn't stopped for being idle.
    const ctx = background(new VirtualClock(), new Tracer());
    const forwarding = shim.runtime.streams?.portForward(ctx, podSandboxId, 81, {
      source,
      write: () => Promise.resolve(),
    });
    await expect(forwarding).rejects.toMatchObject({ code: 'Unavailable' });
    const started = await processesIn(namespace);
    expect(started).not.toEqual([String(State.Pid)]);
    await shim.runtime.runtime.removePodSandbox(shim.ctx, { podSandboxId });
    // The kernel may give the number of the namespace to a new one, so only the processes from before count.
    const isGone = async (): Promise<boolean> => {
      const running = new Set(await processesIn(namespace));
      return !started.some((pid) => running.has(pid));
    };
    await waitUntil(isGone, 'the processes of the sandbox to end');
  });

  it('truncates the output of a command at 16 MiB', async () => {
    const { containerId } = await start(shim, 'sleep 3600');
    const cmd = ['sh', '-c', 'head -c 20000000 /dev/zero; echo done >&2'];
    const { stdout, stderr, exitCode } = await shim.runtime.runtime.execSync(shim.ctx, {
      containerId,
      cmd,
      timeout: 60,
    });
    expect([stdout.length, text(stderr), exitCode]).toEqual([16 * 1024 * 1024, 'done\n', 0]);
  });

  it('reads the log of a container with a terminal', async () => {
    const { runtime } = shim.runtime;
    const config = freshConfig();
    const { podSandboxId } = await runtime.runPodSandbox(shim.ctx, { config });
    const request = containerRequest(
      podSandboxId,
      { tty: true, command: ['sh', '-c', 'echo out; echo err >&2'] },
      config,
    );
    const { containerId } = await runtime.createContainer(shim.ctx, request);
    await runtime.startContainer(shim.ctx, { containerId });
    const lines = await collect(shim.runtime.logs.containerLogs(shim.ctx, containerId, { follow: true }));
    expect(lines.map((line) => [line.stream, line.text])).toEqual([
      ['stdout', 'out'],
      ['stdout', 'err'],
    ]);
  });

  it('never touches foreign containers, whatever their name', async () => {
    const { runtime } = shim.runtime;
    const pod = freshConfig().metadata;
    const plant = async (name: string, labels: Record<string, string>): Promise<string> => {
      const container = await shim.docker.createContainer({
        name,
        Image: busyboxImage,
        Cmd: ['sleep', '3600'],
        Labels: labels,
        HostConfig: { NetworkMode: 'none' },
      });
      onTestFinished(() => container.remove({ force: true }));
      await container.start();
      return container.id;
    };
    const sandboxName = makeSandboxName(pod);
    const sandboxId = await plant(sandboxName, { 'io.kubernetes.docker.type': 'podsandbox' });
    const labels = {
      'io.kubernetes.docker.type': 'container',
      'io.kubernetes.sandbox.id': sandboxId,
      'io.podscope.instance': 'another',
    };
    const containerId = await plant(makeContainerName(pod, { name: 'app', attempt: 0 }), labels);

    await expect(runtime.runPodSandbox(shim.ctx, { config: freshConfig({ metadata: pod }) })).rejects.toThrow(
      'does not belong to this Podscope',
    );
    await runtime.stopContainer(shim.ctx, { containerId, timeout: 0 });
    await runtime.removeContainer(shim.ctx, { containerId: containerId.slice(0, 12) });
    await runtime.stopPodSandbox(shim.ctx, { podSandboxId: sandboxId });
    await runtime.removePodSandbox(shim.ctx, { podSandboxId: sandboxId });
    await runtime.removePodSandbox(shim.ctx, { podSandboxId: sandboxName });
    await expect(runtime.execSync(shim.ctx, { containerId, cmd: ['true'], timeout: 1 })).rejects.toMatchObject({
      code: 'NotFound',
    });
    expect((await runtime.listPodSandbox(shim.ctx, {})).items.map(({ id }) => id)).not.toContain(sandboxId);
    expect((await runtime.listContainers(shim.ctx, {})).containers.map(({ id }) => id)).not.toContain(containerId);
    for (const id of [sandboxId, containerId])
      expect((await shim.docker.getContainer(id).inspect()).State.Running).toBe(true);
  });

  it('lists a sandbox that was removed from outside until the caller removes it', async () => {
    const { runtime } = shim.runtime;
    const config = freshConfig();
    const { podSandboxId } = await runtime.runPodSandbox(shim.ctx, { config });
    await shim.docker.getContainer(podSandboxId).remove({ force: true });
    const find = async () => (await runtime.listPodSandbox(shim.ctx, {})).items.find(({ id }) => id === podSandboxId);
    const { name, namespace } = config.metadata;
    expect(await find()).toMatchObject({ state: 'SANDBOX_NOTREADY', metadata: { name, namespace, uid: '' } });
    await runtime.stopPodSandbox(shim.ctx, { podSandboxId });
    await runtime.removePodSandbox(shim.ctx, { podSandboxId });
    expect(await find()).toBeUndefined();
  });

  it('removes objects that are already being removed, and leaves nothing behind', async () => {
    const { runtime } = shim.runtime;
    const { podSandboxId, containerId } = await start(shim, 'sleep 3600');
    await Promise.all([1, 2, 3].map(() => runtime.removePodSandbox(shim.ctx, { podSandboxId })));
    await runtime.removeContainer(shim.ctx, { containerId });
    expect(await readdir(join(shim.stateDirectory, 'sandbox'))).not.toContain(podSandboxId);
    await expect(runtime.containerStatus(shim.ctx, { containerId })).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('accepts abbreviated ids', async () => {
    const { runtime } = shim.runtime;
    const { podSandboxId, containerId } = await start(shim, 'sleep 3600');
    expect((await runtime.containerStatus(shim.ctx, { containerId: short(containerId) })).status.id).toBe(containerId);
    const { containers } = await runtime.listContainers(shim.ctx, { filter: { podSandboxId: short(podSandboxId) } });
    expect(containers.map(({ id }) => id)).toEqual([containerId]);
    await runtime.stopPodSandbox(shim.ctx, { podSandboxId: short(podSandboxId) });
    expect((await runtime.podSandboxStatus(shim.ctx, { podSandboxId })).status.state).toBe('SANDBOX_NOTREADY');
  });

  it('finds all objects of an earlier process with the same instance and directory', async () => {
    const { podSandboxId, containerId } = await start(shim, 'sleep 3600');
    const again = await createDockershim(shim.ctx, {
      stateDirectory: shim.stateDirectory,
      instance: shim.instance,
      sandboxImage: 'podscope/pause:local',
    });
    onTestFinished(() => again.close());
    expect((await again.runtime.podSandboxStatus(shim.ctx, { podSandboxId })).status).toMatchObject({
      state: 'SANDBOX_READY',
      network: { ip: expect.stringMatching(/^\d+\./) },
    });
    await again.runtime.removePodSandbox(shim.ctx, { podSandboxId });
    await expect(again.runtime.containerStatus(shim.ctx, { containerId })).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('continues a log of an earlier process without duplicate or lost lines', async () => {
    const own = await realShim();
    onTestFinished(() => own.cleanup());
    const config = freshConfig({ logDirectory: join(own.stateDirectory, 'pod-logs') });
    const { podSandboxId } = await own.runtime.runtime.runPodSandbox(own.ctx, { config });
    const script = 'i=0; while [ ! -e /tmp/stop ]; do echo $i; echo e$i >&2; i=$((i+1)); sleep 0.02; done';
    const request = containerRequest(podSandboxId, { command: ['sh', '-c', script], logPath: 'app/0.log' }, config);
    const { containerId } = await own.runtime.runtime.createContainer(own.ctx, request);
    await own.runtime.runtime.startContainer(own.ctx, { containerId });
    const lines = async (): Promise<string[]> =>
      (await readFile(join(own.stateDirectory, 'pod-logs', 'app', '0.log'), 'utf8').catch(() => ''))
        .split('\n')
        .slice(0, -1);
    await waitUntil(async () => (await lines()).length > 10, 'the first lines');
    await own.runtime.close();
    const written = (await lines()).length;

    const again = await createDockershim(own.ctx, {
      stateDirectory: own.stateDirectory,
      instance: own.instance,
      sandboxImage: 'podscope/pause:local',
    });
    onTestFinished(() => again.close());
    await waitUntil(async () => (await lines()).length > written + 10, 'lines after the restart');
    await again.runtime.execSync(own.ctx, { containerId, cmd: ['touch', '/tmp/stop'], timeout: 120 });
    await waitUntil(
      async () => (await again.runtime.containerStatus(own.ctx, { containerId })).status.state === 'CONTAINER_EXITED',
      'the end',
    );
    for (const [stream, prefix] of [
      ['stdout', ''],
      ['stderr', 'e'],
    ]) {
      const texts = (await lines()).filter((line) => line.includes(` ${stream} F `)).map((line) => line.split(' ')[3]);
      expect(texts).toEqual(texts.map((_, index) => `${prefix}${index}`));
      expect(texts.length).toBeGreaterThan(5);
    }
  });

  it('mounts an image or a sub-path of it read-only, and rejects a missing path', async () => {
    const { runtime } = shim.runtime;
    const config = freshConfig();
    const { podSandboxId } = await runtime.runPodSandbox(shim.ctx, { config });
    const image = { image: busyboxImage };
    const mounts = [
      { containerPath: '/whole', image, readonly: true },
      { containerPath: '/part', image, readonly: true, imageSubPath: 'etc' },
    ];
    const script = 'ls /whole/bin/busybox /part/passwd; touch /whole/x 2>&1';
    const request = containerRequest(podSandboxId, { command: ['sh', '-c', script], mounts, logPath: '' }, config);
    const { containerId } = await runtime.createContainer(shim.ctx, request);
    await runtime.startContainer(shim.ctx, { containerId });
    const lines = await collect(shim.runtime.logs.containerLogs(shim.ctx, containerId, { follow: true }));
    expect(lines.map((line) => line.text)).toEqual([
      '/part/passwd',
      '/whole/bin/busybox',
      'touch: /whole/x: Read-only file system',
    ]);
    const { status } = await runtime.containerStatus(shim.ctx, { containerId });
    expect(status.mounts).toEqual([
      expect.objectContaining({
        containerPath: '/part',
        readonly: true,
        image: { image: status.imageId, imageRef: status.imageId },
        imageSubPath: 'etc',
      }),
      expect.objectContaining({
        containerPath: '/whole',
        readonly: true,
        image: { image: status.imageId, imageRef: status.imageId },
      }),
    ]);
    const refusal = async (mount: Partial<Mount>): Promise<unknown> => {
      const mounted = { containerPath: '/x', image, readonly: true, ...mount };
      return runtime.createContainer(
        shim.ctx,
        containerRequest(podSandboxId, { metadata: { name: 'other', attempt: 0 }, mounts: [mounted] }, config),
      );
    };
    await expect(refusal({ imageSubPath: 'nope' })).rejects.toMatchObject({
      code: 'FailedPrecondition',
      message: expect.stringMatching(/^ImageVolumeMountFailed: image sha256:\w+ has no path "nope"$/),
    });
    await expect(refusal({ imageSubPath: '../etc' })).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(refusal({ readonly: false })).rejects.toMatchObject({ code: 'InvalidArgument' });
    await expect(refusal({ image: { image: 'no-such-image:1' } })).rejects.toMatchObject({ code: 'NotFound' });
  });

  it('is invisible to another instance', async () => {
    const { podSandboxId } = await start(shim, 'sleep 3600');
    const other = await realShim();
    onTestFinished(() => other.cleanup());
    expect((await other.runtime.runtime.listPodSandbox(other.ctx, {})).items).toEqual([]);
    await expect(other.runtime.runtime.podSandboxStatus(other.ctx, { podSandboxId })).rejects.toMatchObject({
      code: 'NotFound',
    });
  });
});

describe('a Docker Engine that stops', () => {
  it('makes calls fail with Unavailable, reports it in Status, and continues with events when it is back', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'docker-proxy-'));
    onTestFinished(() => rm(directory, { recursive: true, force: true }));
    const proxy = await dockerProxy(join(directory, 'docker.sock'));
    onTestFinished(() => proxy.goAway());
    const shim = await realShim({ dockerHost: proxy.host });
    const stop = new AbortController();
    onTestFinished(async () => {
      stop.abort();
      await proxy.comeBack();
      await shim.cleanup();
      await proxy.goAway();
    });
    const { runtime } = shim.runtime;
    const { podSandboxId, containerId } = await start(shim, 'sleep 3600');
    const events: ContainerEventResponse[] = [];
    const listening = (async () => {
      for await (const event of runtime.getContainerEvents(withSignal(shim.ctx, stop.signal), {})) events.push(event);
    })();
    const types = (id: string) =>
      events.filter((event) => event.containerId === id).map((event) => event.containerEventType);
    const other = await start(shim, 'true');
    await waitUntil(() => types(other.containerId).includes('CONTAINER_STOPPED_EVENT'), 'the first events');

    await proxy.goAway();
    await expect(runtime.listContainers(shim.ctx, {})).rejects.toMatchObject({
      code: 'Unavailable',
      message: `Cannot connect to the Docker daemon at ${proxy.host}. Is the docker daemon running?`,
    });
    const conditions = async () => (await runtime.status(shim.ctx, {})).status.conditions;
    expect(await conditions()).toMatchObject([
      { type: 'RuntimeReady', status: false, reason: 'DockerDaemonNotReady' },
      { type: 'NetworkReady', status: true },
    ]);
    await shim.docker.getContainer(containerId).stop({ t: 0 });

    await proxy.comeBack();
    expect(await conditions()).toMatchObject([
      { type: 'RuntimeReady', status: true },
      { type: 'NetworkReady', status: true },
    ]);
    expect((await runtime.containerStatus(shim.ctx, { containerId })).status.state).toBe('CONTAINER_EXITED');
    await waitUntil(() => types(containerId).includes('CONTAINER_STOPPED_EVENT'), 'the event that was missed');
    await runtime.removePodSandbox(shim.ctx, { podSandboxId });
    await waitUntil(() => types(podSandboxId).includes('CONTAINER_DELETED_EVENT'), 'the last event');
    stop.abort();
    await listening;
  });

  it("fails the start with the engine's address if it doesn't answer", async () => {
    const connecting = connectDocker(
      background(realClock, new Tracer()),
      dockerEndpoint('unix:///no/such.sock', {}),
      1000,
    );
    await expect(connecting).rejects.toThrow(
      'Cannot connect to the Docker daemon at unix:///no/such.sock. Is the docker daemon running?',
    );
  });
});
