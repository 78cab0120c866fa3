import { background, Tracer, VirtualClock } from '@podscope/trace';
import { describe, expect, it, vi } from 'vitest';
import type { ContainerEventResponse, PodSandboxConfig } from '../messages.ts';
import type { RuntimeService } from '../services.ts';
import { UnimplementedRuntimeService } from '../unimplemented.ts';
import { ownedRuntimeService, ownerLabel } from './owned.ts';

const ctx = background(new VirtualClock(), new Tracer());
const config: PodSandboxConfig = {
  metadata: { name: 'a', namespace: 'b', uid: 'c', attempt: 0 },
  labels: { app: 'web' },
};

class FakeRuntime extends UnimplementedRuntimeService {
  override runPodSandbox = vi.fn<RuntimeService['runPodSandbox']>(() => Promise.resolve({ podSandboxId: 's' }));
  override listContainers = vi.fn<RuntimeService['listContainers']>(() => Promise.resolve({ containers: [] }));
  override async *getContainerEvents(): AsyncGenerator<ContainerEventResponse> {
    const base = { containerEventType: 'CONTAINER_STOPPED_EVENT', createdAt: 1n, containersStatuses: [] } as const;
    const status = {
      id: 's',
      metadata: config.metadata,
      state: 'SANDBOX_READY',
      createdAt: 1n,
      annotations: {},
    } as const;
    yield { ...base, containerId: 'mine', podSandboxStatus: { ...status, labels: { [ownerLabel]: 'me' } } };
    yield { ...base, containerId: 'theirs', podSandboxStatus: { ...status, labels: {} } };
    yield { ...base, containerId: 'whose' };
  }
}

describe('a shared runtime', () => {
  it('labels all objects with the owner', async () => {
    const fake = new FakeRuntime();
    await ownedRuntimeService(fake, 'me').runPodSandbox(ctx, { config });
    expect(fake.runPodSandbox).toHaveBeenCalledWith(ctx, {
      config: { ...config, labels: { app: 'web', [ownerLabel]: 'me' } },
    });
  });

  it('restricts filters to the owner', async () => {
    const fake = new FakeRuntime();
    const owned = ownedRuntimeService(fake, 'me');
    await owned.listContainers(ctx, { filter: { podSandboxId: 's', labelSelector: { app: 'web' } } });
    expect(fake.listContainers).toHaveBeenLastCalledWith(ctx, {
      filter: { podSandboxId: 's', labelSelector: { app: 'web', [ownerLabel]: 'me' } },
    });
    await owned.listContainers(ctx, {});
    expect(fake.listContainers).toHaveBeenLastCalledWith(ctx, { filter: { labelSelector: { [ownerLabel]: 'me' } } });
  });

  it('yields only events of the owner', async () => {
    const ids: string[] = [];
    for await (const { containerId } of ownedRuntimeService(new FakeRuntime(), 'me').getContainerEvents(ctx, {}))
      ids.push(containerId);
    expect(ids).toEqual(['mine', 'whose']);
  });

  it('passes other calls on unchanged', async () => {
    await expect(ownedRuntimeService(new FakeRuntime(), 'me').status(ctx, {})).rejects.toMatchObject({
      code: 'Unimplemented',
    });
  });
});
