/** Defines the CRI contract tests of the pod sandbox lifecycle. */
import { describe, expect, it } from 'vitest';
import type { PodSandboxFilter } from '../../messages.ts';
import type { ContractFeatures } from '../environment.ts';
import { criError, refusalOf, type Scene } from '../scene.ts';

const unknownId = '0123456789abcdef'.repeat(4);

export function describeSandboxes(scene: () => Scene, features: ContractFeatures): void {
  const list = async (filter?: PodSandboxFilter): Promise<string[]> => {
    const { items } = await scene().runtime.listPodSandbox(scene().ctx(), { filter });
    return items.map((sandbox) => sandbox.id).toSorted();
  };

  describe('sandbox', () => {
    it('is READY once run and returns its configuration', async () => {
      const sandbox = await scene().sandbox({
        labels: { tier: 'web' },
        annotations: { 'example.com/note': 'as given: "quoted", späße' },
      });
      const status = await scene().sandboxStatus(sandbox.id);
      expect(status).toMatchObject({ id: sandbox.id, metadata: sandbox.config.metadata, state: 'SANDBOX_READY' });
      expect(status.labels).toEqual(sandbox.config.labels);
      expect(status.annotations).toEqual(sandbox.config.annotations);
      expect(status.createdAt).toBeGreaterThan(0n);
    });

    it('has its own address', async () => {
      const [first, second] = [await scene().sandbox(), await scene().sandbox()];
      const addresses = await Promise.all(
        [first, second].map(async ({ id }) => (await scene().sandboxStatus(id)).network?.ip),
      );
      expect(addresses[0]).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(addresses[1]).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
      expect(addresses[0]).not.toBe(addresses[1]);
    });

    it('reports its namespaces', async () => {
      const { id } = await scene().sandbox();
      expect((await scene().sandboxStatus(id)).linux?.namespaces?.options).toMatchObject({
        network: 'POD',
        ipc: 'POD',
      });
    });

    it('has no address in the host network', async () => {
      const { id } = await scene().sandbox({
        hostname: '',
        linux: { securityContext: { namespaceOptions: { network: 'NODE', pid: 'CONTAINER', ipc: 'POD' } } },
      });
      const status = await scene().sandboxStatus(id);
      expect(status.linux?.namespaces?.options?.network).toBe('NODE');
      expect(status.network?.ip ?? '').toBe('');
    });

    it('passes its host name to its containers', async () => {
      const sandbox = await scene().sandbox({ hostname: 'contract-host' });
      const id = await scene().start(sandbox, 'hostname');
      await scene().exited(id);
      expect(await scene().output(id)).toBe('contract-host');
    });

    it('is listed with the values of its status', async () => {
      const sandbox = await scene().sandbox({ annotations: { note: 'n' } });
      const { items } = await scene().runtime.listPodSandbox(scene().ctx(), { filter: { id: sandbox.id } });
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({
        id: sandbox.id,
        metadata: sandbox.config.metadata,
        state: 'SANDBOX_READY',
        labels: sandbox.config.labels,
        annotations: { note: 'n' },
      });
      expect(items[0]?.createdAt).toBeGreaterThan(0n);
    });

    it('is filtered by id, state, labels and combinations', async () => {
      const group = crypto.randomUUID();
      const up = await scene().sandbox({ labels: { group, role: 'up' } });
      const down = await scene().sandbox({ labels: { group, role: 'down' } });
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: down.id });

      expect(await list({ labelSelector: { group } })).toEqual([up.id, down.id].toSorted());
      expect(await list({ labelSelector: { group, role: 'up' } })).toEqual([up.id]);
      expect(await list({ labelSelector: { group, role: 'other' } })).toEqual([]);
      expect(await list({ labelSelector: { group }, state: { state: 'SANDBOX_READY' } })).toEqual([up.id]);
      expect(await list({ labelSelector: { group }, state: { state: 'SANDBOX_NOTREADY' } })).toEqual([down.id]);
      expect(await list({ id: down.id, state: { state: 'SANDBOX_READY' } })).toEqual([]);
      expect(await list({ id: down.id, labelSelector: { group } })).toEqual([down.id]);
      expect(await list()).toEqual(expect.arrayContaining([up.id, down.id]));
    });

    it('is NOTREADY without an address once stopped', async () => {
      const { id } = await scene().sandbox();
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: id });
      const status = await scene().sandboxStatus(id);
      expect(status.state).toBe('SANDBOX_NOTREADY');
      expect(status.network?.ip ?? '').toBe('');
    });

    it('may be stopped twice', async () => {
      const { id } = await scene().sandbox();
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: id });
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: id });
      expect((await scene().sandboxStatus(id)).state).toBe('SANDBOX_NOTREADY');
    });

    it("doesn't exist after its removal, and may be removed twice", async () => {
      const { id } = await scene().sandbox();
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: id });
      await scene().runtime.removePodSandbox(scene().ctx(), { podSandboxId: id });
      await expect(scene().runtime.podSandboxStatus(scene().ctx(), { podSandboxId: id })).rejects.toMatchObject(
        criError('NotFound'),
      );
      expect(await list({ id })).toEqual([]);
      await scene().runtime.removePodSandbox(scene().ctx(), { podSandboxId: id });
    });

    it('can be removed while it runs', async () => {
      const { id } = await scene().sandbox();
      await scene().runtime.removePodSandbox(scene().ctx(), { podSandboxId: id });
      await expect(scene().runtime.podSandboxStatus(scene().ctx(), { podSandboxId: id })).rejects.toMatchObject(
        criError('NotFound'),
      );
    });

    it('has no status but can be stopped and removed if it is unknown', async () => {
      await expect(scene().runtime.podSandboxStatus(scene().ctx(), { podSandboxId: unknownId })).rejects.toMatchObject(
        criError('NotFound'),
      );
      const refusal = await refusalOf(scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: unknownId }));
      expect(refusal).toBe(features.stopsUnknown === false ? 'NotFound' : undefined);
      await scene().runtime.removePodSandbox(scene().ctx(), { podSandboxId: unknownId });
    });

    it('of the next attempt may exist beside the stopped one', async () => {
      const first = await scene().sandbox();
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: first.id });
      const second = await scene().runSandbox({ ...first.config, metadata: { ...first.config.metadata, attempt: 1 } });
      expect(second.id).not.toBe(first.id);
      expect((await scene().sandboxStatus(second.id)).metadata.attempt).toBe(1);
      const selector = { 'io.kubernetes.pod.uid': first.config.metadata.uid };
      expect(await list({ labelSelector: selector })).toEqual([first.id, second.id].toSorted());
    });

    it('of a running attempt is rejected', async () => {
      const { config, id } = await scene().sandbox();
      await expect(scene().runSandbox(config)).rejects.toMatchObject(criError());
      expect((await scene().sandboxStatus(id)).state).toBe('SANDBOX_READY');
    });

    it('of an unknown runtime handler is rejected', async () => {
      const config = scene().sandboxConfig();
      await expect(
        scene().runtime.runPodSandbox(scene().ctx(), { config, runtimeHandler: 'no-such-handler' }),
      ).rejects.toMatchObject(criError());
      expect(await list({ labelSelector: { 'io.kubernetes.pod.uid': config.metadata.uid } })).toEqual([]);
    });

    it('stops its containers when it is stopped', async () => {
      const sandbox = await scene().sandbox();
      const id = await scene().start(sandbox, 'sleep 3600');
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: sandbox.id });
      expect(await scene().exited(id)).toMatchObject({ state: 'CONTAINER_EXITED', reason: 'Error' });
    });

    it('removes its containers when it is removed', async () => {
      const sandbox = await scene().sandbox();
      const id = await scene().start(sandbox, 'sleep 3600');
      await scene().runtime.stopPodSandbox(scene().ctx(), { podSandboxId: sandbox.id });
      await scene().runtime.removePodSandbox(scene().ctx(), { podSandboxId: sandbox.id });
      await expect(scene().runtime.containerStatus(scene().ctx(), { containerId: id })).rejects.toMatchObject(
        criError('NotFound'),
      );
    });

    it('is one network for all its containers', async () => {
      const sandbox = await scene().sandbox();
      const server = await scene().start(
        sandbox,
        'mkdir -p /www; echo shared > /www/index.html; echo up; exec httpd -f -p 8080 -h /www',
        {
          metadata: { name: 'server', attempt: 0 },
        },
      );
      await scene().printed(server, 'up');
      const client = await scene().start(
        sandbox,
        'until wget -q -O - http://127.0.0.1:8080/index.html; do sleep 1; done',
        {
          metadata: { name: 'client', attempt: 0 },
        },
      );
      expect(await scene().exited(client)).toMatchObject({ exitCode: 0 });
      expect(await scene().output(client)).toContain('shared');
    });
  });
}
