import { describe, expect, it } from 'vitest';
import { collect } from '../testing/collect.ts';
import { fakeShim } from '../testing/fake-shim.ts';
import { containerRequest, sandboxConfig } from '../testing/requests.ts';
import { makeContainerName, makeSandboxName } from './names.ts';

const pod = { name: 'other', namespace: 'default', uid: 'uid-9', attempt: 0 };
const type = 'io.kubernetes.docker.type';
const instance = 'io.podscope.instance';

/**
 * Creates containers with names like dockershim's: containers of this instance, of another instance, and unrelated
 * ones.
 */
async function lookAlikes() {
  const shim = await fakeShim();
  const { docker } = shim;
  const sandboxId = docker.plant(makeSandboxName(pod), { Labels: { [type]: 'podsandbox' } });
  const otherSandbox = docker.plant(makeSandboxName({ ...pod, attempt: 1 }), {
    Labels: { [type]: 'podsandbox', [instance]: 'other' },
  });
  const labels = { [type]: 'container', 'io.kubernetes.sandbox.id': sandboxId };
  const container = docker.plant(makeContainerName(pod, { name: 'app', attempt: 0 }), { Labels: labels });
  const otherContainer = docker.plant(makeContainerName(pod, { name: 'app', attempt: 1 }), {
    Labels: { ...labels, [instance]: 'other' },
  });
  const other = docker.plant('nginx', { Labels: {} });
  return { ...shim, sandboxes: [sandboxId, otherSandbox, other], containers: [container, otherContainer, other] };
}

const changes = new Set([
  'startContainer',
  'stopContainer',
  'removeContainer',
  'updateContainer',
  'createExec',
  'startExec',
  'createContainer',
]);

describe('foreign containers', () => {
  it('are not listed', async () => {
    const { runtime, ctx } = await lookAlikes();
    expect((await runtime.runtime.listPodSandbox(ctx, {})).items).toEqual([]);
    expect((await runtime.runtime.listContainers(ctx, {})).containers).toEqual([]);
    expect((await runtime.runtime.listContainerStats(ctx, {})).stats).toEqual([]);
  });

  it("aren't found or changed", async () => {
    const { runtime, ctx, docker, sandboxes, containers } = await lookAlikes();
    const { runtime: service, logs } = runtime;
    for (const podSandboxId of sandboxes) {
      await expect(service.podSandboxStatus(ctx, { podSandboxId })).rejects.toMatchObject({ code: 'NotFound' });
      await expect(service.podSandboxStats(ctx, { podSandboxId })).rejects.toMatchObject({ code: 'NotFound' });
      await expect(service.createContainer(ctx, containerRequest(podSandboxId))).rejects.toMatchObject({
        code: 'NotFound',
      });
      await service.stopPodSandbox(ctx, { podSandboxId });
      await service.removePodSandbox(ctx, { podSandboxId });
    }
    for (const containerId of containers) {
      await expect(service.containerStatus(ctx, { containerId })).rejects.toMatchObject({ code: 'NotFound' });
      await expect(service.startContainer(ctx, { containerId })).rejects.toMatchObject({ code: 'NotFound' });
      await expect(service.execSync(ctx, { containerId, cmd: ['true'], timeout: 0 })).rejects.toMatchObject({
        code: 'NotFound',
      });
      await expect(service.updateContainerResources(ctx, { containerId, linux: {} })).rejects.toMatchObject({
        code: 'NotFound',
      });
      await expect(service.containerStats(ctx, { containerId })).rejects.toMatchObject({ code: 'NotFound' });
      await expect(collect(logs.containerLogs(ctx, containerId, {}))).rejects.toMatchObject({ code: 'NotFound' });
      await service.stopContainer(ctx, { containerId, timeout: 0 });
      await service.removeContainer(ctx, { containerId });
    }
    expect(docker.calls.filter(({ operation }) => changes.has(operation))).toEqual([]);
    expect(docker.containers.size).toBe(5);
  });

  it("can't share their PID namespace with a container of this instance", async () => {
    const { runtime, ctx, containers } = await lookAlikes();
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
    const namespaceOptions = { network: 'POD', pid: 'TARGET', ipc: 'POD', targetId: containers[0] } as const;
    const request = containerRequest(podSandboxId, { linux: { securityContext: { namespaceOptions } } });
    await expect(runtime.runtime.createContainer(ctx, request)).rejects.toMatchObject({ code: 'InvalidArgument' });
  });
});

describe('own containers', () => {
  it('are distinguished from sandboxes', async () => {
    const { runtime, ctx, docker } = await fakeShim();
    const { podSandboxId } = await runtime.runtime.runPodSandbox(ctx, { config: sandboxConfig() });
    await runtime.runtime.stopContainer(ctx, { containerId: podSandboxId, timeout: 0 });
    await runtime.runtime.removeContainer(ctx, { containerId: podSandboxId });
    expect(docker.containers.get(podSandboxId)?.status).toBe('running');
  });
});
