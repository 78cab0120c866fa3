import type { ContainerEventResponse } from '@podscope/cri';
import { withSignal } from '@podscope/trace';
import { describe, expect, it } from 'vitest';
import type * as schemas from '../../docker/schemas.ts';
import { noopNetworkPlugin } from '../../network/plugin.ts';
import { labelKeys } from '../../objects/labels.ts';
import { makeSandboxName } from '../../objects/names.ts';
import type { FakeDocker } from '../../testing/fake-docker.ts';
import { fakeShim } from '../../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../../testing/requests.ts';

const dockerEvent = (Action: string, ID: string, more: object = {}): schemas.DockerEvent => ({
  Type: 'container',
  Action,
  Actor: { ID, Attributes: { [labelKeys.instance]: 'test', ...more } },
  timeNano: 1,
  time: 1,
});

describe('the v1.20 dockershim', () => {
  it('emits no events of a starting sandbox, but emits the events of its end', async () => {
    const heard = Promise.withResolvers<void>();
    const run = Promise.withResolvers<string>();
    const stop = new AbortController();
    const sandboxOf = (docker: FakeDocker): string | undefined =>
      [...docker.containers.values()].find(({ status }) => status === 'running')?.id;
    const shim = await fakeShim(
      { release: 'v1.20' },
      { ...noopNetworkPlugin, setUpPod: () => heard.promise },
      (docker) => {
        docker.events = async function* () {
          yield dockerEvent('start', sandboxOf(docker) ?? '');
          heard.resolve();
          yield dockerEvent('die', await run.promise);
        };
      },
    );
    const { runtime } = shim.runtime;
    const running = runtime.runPodSandbox(shim.ctx, { config: sandboxConfig() });
    running.then(({ podSandboxId }) => run.resolve(podSandboxId), run.reject);
    await expect.poll(() => sandboxOf(shim.docker)).toBeDefined();
    const events: ContainerEventResponse[] = [];
    for await (const event of runtime.getContainerEvents(withSignal(shim.ctx, stop.signal), {})) {
      events.push(event);
      stop.abort();
    }
    expect(events.map(({ containerEventType }) => containerEventType)).toEqual(['CONTAINER_STOPPED_EVENT']);
  });

  it('gives the DNS configuration to an engine whose files it may not write, and starts the sandbox', async () => {
    const shim = await fakeShim({ release: 'v1.20' }, undefined, (docker) => {
      docker.information = { ...docker.information, DockerRootDir: '/no/such/directory' };
    });
    const dnsConfig = { servers: ['10.0.0.10'], searches: ['svc'], options: [] };
    const config = sandboxConfig({ dnsConfig });
    const { podSandboxId } = await shim.runtime.runtime.runPodSandbox(shim.ctx, { config });
    expect(shim.docker.containers.get(podSandboxId)).toMatchObject({
      status: 'running',
      body: { HostConfig: { Dns: ['10.0.0.10'], DnsSearch: ['svc'] } },
    });
    expect(shim.decisions('startSandbox.resolvConf')).toEqual([
      'no: this process may not write the file, so the engine was given the DNS configuration',
    ]);
  });

  it("reports no features that its CRI version doesn't have", async () => {
    const { runtime, ctx } = await fakeShim({ release: 'v1.20' });
    expect(Object.keys(await runtime.runtime.status(ctx, {}))).toEqual(['status']);
  });

  it.each([
    ['1.52', ['relabel it: this makes the mounts below /a read-only too']],
    ['1.43', []],
  ])(
    'keeps bind strings with API %s and names the read-only mounts below a relabeled one',
    async (version, outcomes) => {
      const { runtime, ctx, docker, decisions } = await fakeShim({ release: 'v1.20' }, undefined, (engine) => {
        Object.assign(engine, { apiVersion: version });
      });
      const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
      const mounts = [
        { hostPath: '/a', containerPath: '/a', readonly: true, selinuxRelabel: true },
        { hostPath: '/b', containerPath: '/b', readonly: true },
        { hostPath: '/c', containerPath: '/c', selinuxRelabel: true },
      ];
      const { containerId } = await runtime.runtime.createContainer(ctx, containerRequest(podSandboxId, { mounts }));
      expect(docker.containers.get(containerId)?.body.HostConfig.Binds).toEqual(['/a:/a:ro,Z', '/b:/b:ro', '/c:/c:Z']);
      expect(decisions('createContainer.relabel')).toEqual(outcomes);
    },
  );

  it.each([
    ['a digest', ['busybox@sha256:d1'], 'docker-pullable://busybox@sha256:d1'],
    ['no digest', [], 'docker://'],
  ])('prefixes the image id of a container whose image has %s', async (_case, RepoDigests, beginning) => {
    const { runtime, ctx, docker } = await fakeShim({ release: 'v1.20' });
    const inspectImage = docker.inspectImage.bind(docker);
    docker.inspectImage = async (inner, args) => ({ ...(await inspectImage(inner, args)), RepoDigests });
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
    const { containerId } = await runtime.runtime.createContainer(ctx, containerRequest(podSandboxId));
    const { status } = await runtime.runtime.containerStatus(ctx, { containerId });
    expect(status?.imageRef).toMatch(new RegExp(`^${beginning}`));
  });

  it('rejects a runtime handler, and records its decisions on name conflict and network', async () => {
    const { runtime, ctx, docker, decisions } = await fakeShim({ release: 'v1.20' });
    const config = sandboxConfig();
    const run = (runtimeHandler: string) => runtime.runtime.runPodSandbox(ctx, { config, runtimeHandler });
    await expect(run('kata')).rejects.toThrow('RuntimeHandler "kata" not supported');
    docker.plant(makeSandboxName(config.metadata), { Labels: { [labelKeys.instance]: 'test' } }, 'exited');
    await expect(run('')).rejects.toThrow('is already in use');
    await run('docker');
    expect(decisions('createWithRecovery.conflict')).toEqual([
      'by a stopped container, which was removed: the next attempt succeeds',
    ]);
    expect(decisions('runPodSandbox.networkReady')).toEqual(['yes: the plugin has set it up']);
  });

  it('counts the network as ready only when RunPodSandbox ends', async () => {
    const observed: unknown[] = [];
    const setUpPod = async (_ctx: unknown, { sandboxId }: { readonly sandboxId: string }): Promise<void> => {
      const { status } = await shim.runtime.runtime.podSandboxStatus(shim.ctx, { podSandboxId: sandboxId });
      observed.push(status?.network?.ip, shim.decisions('runPodSandbox.networkReady').length);
    };
    const shim = await fakeShim(
      { release: 'v1.20' },
      { ...noopNetworkPlugin, setUpPod, podIPs: async () => ['10.1.2.3'] },
    );
    const { podSandboxId } = await shim.runtime.runtime.runPodSandbox(shim.ctx, { config: sandboxConfig() });
    const { status } = await shim.runtime.runtime.podSandboxStatus(shim.ctx, { podSandboxId });
    expect([...observed, status?.network?.ip]).toEqual(['', 0, '10.1.2.3']);
  });

  it.each([
    ['succeeds', undefined, 'yes: the plugin failed, but the release looks only at the stop of the sandbox'],
    ['fails', new Error('busy'), 'no: the plugin failed and the sandbox could not be stopped'],
  ])(
    'decides about the network after a failed plugin when the stop of the sandbox %s',
    async (_, failure, decision) => {
      const setUpPod = () => Promise.reject(new Error('no addresses left'));
      const shim = await fakeShim({ release: 'v1.20' }, { ...noopNetworkPlugin, setUpPod }, (docker) => {
        if (failure) docker.stopContainer = () => Promise.reject(failure);
      });
      const running = shim.runtime.runtime.runPodSandbox(shim.ctx, { config: sandboxConfig() });
      await expect(running).rejects.toThrow('no addresses left');
      expect(shim.decisions('runPodSandbox.networkReady')).toEqual([decision]);
    },
  );
});
