/** Defines the CRI contract tests of container configuration and container lists. */
import { describe, expect, it } from 'vitest';
import type { ContainerFilter, Mount } from '../../messages.ts';
import { criError, type Scene } from '../scene.ts';

const unknownId = 'fedcba9876543210'.repeat(4);

export function describeContainerSetup(scene: () => Scene): void {
  const list = async (filter?: ContainerFilter): Promise<string[]> => {
    const { containers } = await scene().runtime.listContainers(scene().ctx(), { filter });
    return containers.map((container) => container.id).toSorted();
  };

  describe('container set-up', () => {
    it('creates a container in state CREATED', async () => {
      const sandbox = await scene().pod();
      const id = await scene().create(sandbox, 'true');
      const status = await scene().status(id);
      expect(status).toMatchObject({
        id,
        state: 'CONTAINER_CREATED',
        metadata: { name: 'app', attempt: 0 },
        exitCode: 0,
      });
      expect(status.createdAt).toBeGreaterThan(0n);
      expect(status.startedAt).toBe(0n);
      expect(status.finishedAt).toBe(0n);
    });

    it('returns labels and annotations, including the restart count', async () => {
      const sandbox = await scene().sandbox();
      const id = await scene().create(sandbox, 'true', {
        metadata: { name: 'app', attempt: 3 },
        labels: { role: 'main' },
        annotations: { 'io.kubernetes.container.hash': 'abc123', 'example.com/json': '{"a": [1, "zwei"]}' },
      });
      const status = await scene().status(id);
      expect(status.labels).toEqual({ ...sandbox.config.labels, 'io.kubernetes.container.name': 'app', role: 'main' });
      expect(status.annotations).toEqual({
        'io.kubernetes.container.restartCount': '3',
        'io.kubernetes.container.hash': 'abc123',
        'example.com/json': '{"a": [1, "zwei"]}',
      });
      expect(status.metadata).toEqual({ name: 'app', attempt: 3 });
    });

    it("returns the container's image", async () => {
      const { image } = await scene().images.imageStatus(scene().ctx(), {
        image: { image: scene().environment.image },
      });
      const sandbox = await scene().pod();
      const status = await scene().status(await scene().create(sandbox, 'true'));
      expect(status.image.image).not.toBe('');
      expect(
        [image?.id, ...(image?.repoDigests ?? [])].some((ref) => ref !== undefined && status.imageRef.includes(ref)),
      ).toBe(true);
      expect(status.imageId ?? image?.id).toBe(image?.id);
    });

    it("accepts the image's id, as the kubelet sends it", async () => {
      const { image } = await scene().images.imageStatus(scene().ctx(), {
        image: { image: scene().environment.image },
      });
      const sandbox = await scene().pod();
      const status = await scene().finish(sandbox, 'exit 4', { image: { image: image?.id ?? '' } });
      expect(status.exitCode).toBe(4);
    });

    it('lists a container with the values of its status', async () => {
      const sandbox = await scene().sandbox();
      const id = await scene().create(sandbox, 'true', { annotations: { note: 'n' } });
      const { containers } = await scene().runtime.listContainers(scene().ctx(), { filter: { id } });
      expect(containers).toHaveLength(1);
      expect(containers[0]).toMatchObject({
        id,
        podSandboxId: sandbox.id,
        metadata: { name: 'app', attempt: 0 },
        state: 'CONTAINER_CREATED',
        annotations: { note: 'n', 'io.kubernetes.container.restartCount': '0' },
      });
      expect(containers[0]?.createdAt).toBeGreaterThan(0n);
    });

    it('filters containers by id, state, sandbox, labels and combinations', async () => {
      const group = crypto.randomUUID();
      const [left, right] = [await scene().sandbox(), await scene().sandbox()];
      const created = await scene().create(left, 'true', {
        metadata: { name: 'created', attempt: 0 },
        labels: { group },
      });
      const running = await scene().start(left, 'sleep 3600', {
        metadata: { name: 'running', attempt: 0 },
        labels: { group },
      });
      const exited = await scene().start(right, 'true', {
        metadata: { name: 'exited', attempt: 0 },
        labels: { group },
      });
      await scene().exited(exited);
      const labelSelector = { group };

      expect(await list({ labelSelector })).toEqual([created, running, exited].toSorted());
      expect(await list({ labelSelector, state: { state: 'CONTAINER_CREATED' } })).toEqual([created]);
      expect(await list({ labelSelector, state: { state: 'CONTAINER_RUNNING' } })).toEqual([running]);
      expect(await list({ labelSelector, state: { state: 'CONTAINER_EXITED' } })).toEqual([exited]);
      expect(await list({ podSandboxId: left.id })).toEqual([created, running].toSorted());
      expect(await list({ id: running, podSandboxId: right.id })).toEqual([]);
      expect(await list({ labelSelector: { ...labelSelector, 'io.kubernetes.container.name': 'exited' } })).toEqual([
        exited,
      ]);
      expect(await list()).toEqual(expect.arrayContaining([created, running, exited]));
    });

    it('passes environment, arguments and working directory', async () => {
      const sandbox = await scene().pod();
      const id = await scene().start(sandbox, '', {
        command: ['sh', '-c', 'echo "$GREETING|$0|$1|$(pwd)"'],
        args: ['zero', 'with blank'],
        envs: [{ key: 'GREETING', value: 'hello = "world"' }],
        workingDir: '/tmp',
      });
      await scene().exited(id);
      expect(await scene().output(id)).toBe('hello = "world"|zero|with blank|/tmp');
    });

    it('runs as the requested user', async () => {
      const sandbox = await scene().pod();
      const id = await scene().start(sandbox, 'id -u', { linux: { securityContext: { runAsUser: { value: 1234 } } } });
      await scene().exited(id);
      expect(await scene().output(id)).toBe('1234');
    });

    it('mounts files of the node read-only', async () => {
      const hostPath = await scene().environment.hostFile('greeting', 'from the node\n');
      const sandbox = await scene().pod();
      const id = await scene().start(sandbox, 'cat /etc/greeting; echo changed > /etc/greeting || echo refused', {
        mounts: [{ containerPath: '/etc/greeting', hostPath, readonly: true }],
      });
      const status = await scene().exited(id);
      // stdout and stderr are separate pipes, so the order of their output isn't defined.
      const output = await scene().output(id);
      expect(output).toContain('from the node');
      expect(output).toContain('refused');
      expect(await scene().environment.readHostFile(hostPath)).toBe('from the node\n');
      expect(status.mounts).toEqual([
        expect.objectContaining({ containerPath: '/etc/greeting', hostPath, readonly: true }),
      ]);
    });

    it('mounts files of the node writable, as for a termination message', async () => {
      const hostPath = await scene().environment.hostFile('termination', '');
      const sandbox = await scene().pod();
      await scene().finish(sandbox, 'echo "gave up" > /dev/termination-log; exit 2', {
        mounts: [{ containerPath: '/dev/termination-log', hostPath }],
      });
      expect(await scene().environment.readHostFile(hostPath)).toBe('gave up\n');
    });

    it('mounts directories of the node, even a missing one, and reports them', async () => {
      const file = await scene().environment.hostFile('plain', 'from the node\n');
      const hostPath = file.slice(0, file.lastIndexOf('/'));
      const mounts: Mount[] = [
        { containerPath: '/missing', hostPath: `${hostPath}/missing-${crypto.randomUUID()}` },
        { containerPath: '/present', hostPath },
      ];
      const id = await scene().start(await scene().pod(), 'touch /missing/new && cat /present/plain', { mounts });
      const status = await scene().exited(id);
      expect(await scene().output(id)).toBe('from the node');
      const reported = status.mounts.map(
        ({ containerPath, readonly = false, propagation = 'PROPAGATION_PRIVATE' }) => ({
          containerPath,
          readonly,
          propagation,
        }),
      );
      const expected = mounts.map(({ containerPath }) => ({
        containerPath,
        readonly: false,
        propagation: 'PROPAGATION_PRIVATE',
      }));
      expect(reported).toEqual(expect.arrayContaining(expected));
    });

    it('rejects an unknown sandbox', async () => {
      // Some runtimes check the sandbox only when the container is started.
      const creating = scene().create({ id: unknownId, config: scene().sandboxConfig() }, 'true');
      const starting = creating.then((containerId) => scene().runtime.startContainer(scene().ctx(), { containerId }));
      await expect(starting).rejects.toMatchObject({ name: 'CriError', message: expect.stringMatching(/./) });
    });

    it('rejects a missing image', async () => {
      const sandbox = await scene().sandbox();
      await expect(
        scene().create(sandbox, 'true', { image: { image: scene().environment.missingImage } }),
      ).rejects.toMatchObject(criError());
      expect(await list({ podSandboxId: sandbox.id })).toEqual([]);
    });

    it('rejects an attempt whose container runs', async () => {
      const sandbox = await scene().sandbox();
      const id = await scene().start(sandbox, 'sleep 3600');
      await expect(scene().create(sandbox, 'sleep 3600')).rejects.toMatchObject(criError());
      expect(await list({ podSandboxId: sandbox.id })).toEqual([id]);
    });

    it('allows the next attempt beside an exited one', async () => {
      const sandbox = await scene().sandbox();
      const first = await scene().start(sandbox, 'exit 1');
      await scene().exited(first);
      const second = await scene().start(sandbox, 'sleep 3600', { metadata: { name: 'app', attempt: 1 } });
      expect(await list({ podSandboxId: sandbox.id })).toEqual([first, second].toSorted());
      expect((await scene().status(first)).annotations['io.kubernetes.container.restartCount']).toBe('0');
      expect((await scene().status(second)).annotations['io.kubernetes.container.restartCount']).toBe('1');
    });

    it('has no status for an unknown container', async () => {
      await expect(scene().runtime.containerStatus(scene().ctx(), { containerId: unknownId })).rejects.toMatchObject(
        criError('NotFound'),
      );
      await expect(scene().runtime.startContainer(scene().ctx(), { containerId: unknownId })).rejects.toMatchObject(
        criError(),
      );
    });
  });
}
