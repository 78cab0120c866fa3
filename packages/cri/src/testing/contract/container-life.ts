/** Defines the CRI contract tests of the container lifecycle. */
import { describe, expect, it } from 'vitest';
import type { ContractFeatures } from '../environment.ts';
import { criError, refusalOf, type Scene } from '../scene.ts';

const unknownId = 'fedcba9876543210'.repeat(4);
const memoryLimit = 32 * 1024 * 1024;
/**
 * A script whose child is OOM-killed. The script exits some seconds after its child, so that the engine reports the
 * kill first.
 */
const outgrow = 'tail /dev/zero; status=$?; sleep 8; exit $status';

export function describeContainerLife(scene: () => Scene, features: ContractFeatures): void {
  const stop = (containerId: string, timeout: number): Promise<unknown> =>
    scene().runtime.stopContainer(scene().ctx(), { containerId, timeout });

  describe('container life', () => {
    it('runs once started', async () => {
      const sandbox = await scene().pod();
      const status = await scene().status(await scene().start(sandbox, 'sleep 3600'));
      expect(status).toMatchObject({ state: 'CONTAINER_RUNNING', exitCode: 0, reason: '' });
      expect(status.startedAt).toBeGreaterThanOrEqual(status.createdAt);
      expect(status.finishedAt).toBe(0n);
    });

    it("can't be started while it runs or after its exit", async () => {
      const containerId = await scene().start(await scene().pod(), 'sleep 3600');
      const startAgain = (): Promise<unknown> => scene().runtime.startContainer(scene().ctx(), { containerId });
      await expect(startAgain()).rejects.toMatchObject(criError());
      await stop(containerId, 0);
      await expect(startAgain()).rejects.toMatchObject(criError());
      expect((await scene().status(containerId)).state).toBe('CONTAINER_EXITED');
    });

    it('ends Completed with exit code 0', async () => {
      const status = await scene().finish(await scene().pod(), 'sleep 1');
      expect(status).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 0, reason: 'Completed' });
      expect(status.startedAt).toBeGreaterThanOrEqual(status.createdAt);
      expect(status.finishedAt).toBeGreaterThan(status.startedAt);
    });

    it('ends in Error with another exit code', async () => {
      expect(await scene().finish(await scene().pod(), 'exit 42')).toMatchObject({
        state: 'CONTAINER_EXITED',
        exitCode: 42,
        reason: 'Error',
      });
    });

    it('fails to start with a reason if the executable is missing', async () => {
      const sandbox = await scene().pod();
      const containerId = await scene().create(sandbox, '', { command: ['no-such-program'] });
      await expect(scene().runtime.startContainer(scene().ctx(), { containerId })).rejects.toMatchObject({
        name: 'CriError',
        message: expect.stringMatching(/executable(?: file)? not found in \$PATH/),
      });
      const status = await scene().status(containerId);
      expect(status.state).toBe('CONTAINER_EXITED');
      expect(status.reason).toMatch(/^(?:ContainerCannotRun|StartError)$/);
      expect([126, 127, 128]).toContain(status.exitCode);
      expect(status.message).toMatch(/executable file not found/);
    });

    it('receives SIGTERM and may choose its exit code', async () => {
      const id = await scene().start(
        await scene().pod(),
        'trap "echo bye; exit 7" TERM; echo up; while true; do sleep 1; done',
      );
      await scene().printed(id, 'up');
      await stop(id, 30);
      expect(await scene().status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 7, reason: 'Error' });
      expect(await scene().output(id)).toBe('up\nbye');
    });

    it('receives the stop signal of its configuration instead of SIGTERM', async () => {
      const script = 'trap "exit 7" TERM; trap "exit 8" USR1; echo up; while true; do sleep 1; done';
      const id = await scene().start(await scene().pod(), script, { stopSignal: 'SIGUSR1' });
      await scene().printed(id, 'up');
      await stop(id, 30);
      const status = await scene().status(id);
      const isIgnored = features.stopSignal === false;
      expect(status).toMatchObject(isIgnored ? { exitCode: 7 } : { exitCode: 8, stopSignal: 'SIGUSR1' });
    });

    it('is killed after the grace period if it ignores SIGTERM', async () => {
      const id = await scene().start(await scene().pod(), 'trap "" TERM; echo up; sleep 3600');
      await scene().printed(id, 'up');
      await stop(id, 2);
      const status = await scene().status(id);
      expect(status).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 137, reason: 'Error' });
    });

    it('is killed at once without a grace period', async () => {
      const id = await scene().start(await scene().pod(), 'trap "exit 0" TERM; echo up; while true; do sleep 1; done');
      await scene().printed(id, 'up');
      await stop(id, 0);
      expect(await scene().status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 137 });
    });

    it('may be stopped twice and keeps its exit code', async () => {
      const id = await scene().start(await scene().pod(), 'exit 3');
      const before = await scene().exited(id);
      await stop(id, 5);
      await stop(id, 5);
      expect(await scene().status(id)).toMatchObject({ exitCode: 3, finishedAt: before.finishedAt });
    });

    it('can be stopped and removed if it is unknown', async () => {
      expect(await refusalOf(stop(unknownId, 1))).toBe(features.stopsUnknown === false ? 'NotFound' : undefined);
      await expect(scene().runtime.removeContainer(scene().ctx(), { containerId: unknownId })).resolves.toEqual({});
    });

    it("doesn't exist after its removal, and may be removed twice", async () => {
      const sandbox = await scene().sandbox();
      const id = await scene().start(sandbox, 'true');
      await scene().exited(id);
      await scene().runtime.removeContainer(scene().ctx(), { containerId: id });
      await expect(scene().runtime.containerStatus(scene().ctx(), { containerId: id })).rejects.toMatchObject(
        criError('NotFound'),
      );
      const { containers } = await scene().runtime.listContainers(scene().ctx(), {
        filter: { podSandboxId: sandbox.id },
      });
      expect(containers).toEqual([]);
      await scene().runtime.removeContainer(scene().ctx(), { containerId: id });
    });

    it('can be removed while it runs', async () => {
      const sandbox = await scene().pod();
      const id = await scene().start(sandbox, 'sleep 3600');
      await scene().runtime.removeContainer(scene().ctx(), { containerId: id });
      await expect(scene().runtime.containerStatus(scene().ctx(), { containerId: id })).rejects.toMatchObject(
        criError('NotFound'),
      );
    });

    it("doesn't affect other containers of the sandbox", async () => {
      const sandbox = await scene().pod();
      const short = await scene().start(sandbox, 'exit 1', { metadata: { name: 'short', attempt: 0 } });
      const long = await scene().start(sandbox, 'sleep 3600', { metadata: { name: 'long', attempt: 0 } });
      await scene().exited(short);
      expect((await scene().status(long)).state).toBe('CONTAINER_RUNNING');
      expect((await scene().sandboxStatus(sandbox.id)).state).toBe('SANDBOX_READY');
    });

    it('accepts new resources while it runs', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600', {
        linux: { resources: { cpuShares: 128, memoryLimitInBytes: memoryLimit } },
      });
      await scene().runtime.updateContainerResources(scene().ctx(), {
        containerId: id,
        linux: { cpuShares: 512, cpuPeriod: 100_000, cpuQuota: 50_000, memoryLimitInBytes: 2 * memoryLimit },
      });
      const status = await scene().status(id);
      expect(status.state).toBe('CONTAINER_RUNNING');
      expect(status.resources?.linux).toMatchObject({
        cpuShares: 512,
        cpuQuota: 50_000,
        memoryLimitInBytes: 2 * memoryLimit,
      });
    });

    it('is OOMKilled above its memory limit', async () => {
      const status = await scene().finish(await scene().pod(), outgrow, {
        linux: { resources: { memoryLimitInBytes: memoryLimit, memorySwapLimitInBytes: memoryLimit } },
      });
      expect(status).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 137, reason: 'OOMKilled' });
    });
  });
}
