/** Defines the CRI contract tests of commands inside a running container. */
import { describe, expect, it } from 'vitest';
import { criError, type Scene } from '../scene.ts';

export function describeExec(scene: () => Scene): void {
  describe('execSync', () => {
    it('returns both streams and the exit code', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      expect(await scene().exec(id, 'echo out; echo err >&2; exit 3')).toEqual({
        exitCode: 3,
        stdout: 'out\n',
        stderr: 'err\n',
      });
    });

    it('sees the files and the environment of the container', async () => {
      const id = await scene().start(await scene().pod(), 'echo ready > /tmp/state; echo up; sleep 3600', {
        envs: [{ key: 'COLOR', value: 'green' }],
      });
      await scene().printed(id, 'up');
      expect(await scene().exec(id, 'cat /tmp/state; echo $COLOR')).toMatchObject({
        exitCode: 0,
        stdout: 'ready\ngreen\n',
      });
      expect((await scene().exec(id, 'cat /tmp/none')).exitCode).toBe(1);
    });

    it('runs a command without a shell', async () => {
      const id = await scene().start(await scene().pod(), 'touch /tmp/ok; echo up; sleep 3600');
      await scene().printed(id, 'up');
      const exec = async (...cmd: string[]): Promise<number> =>
        (await scene().runtime.execSync(scene().ctx(), { containerId: id, cmd, timeout: 120 })).exitCode;
      expect(await exec('cat', '/tmp/ok')).toBe(0);
      expect(await exec('test', '-f', '/tmp/none')).toBe(1);
    });

    it('reports a missing executable', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      // Some runtimes return the exit code of a shell, others fail the call with the OCI runtime's error.
      const outcome = await scene()
        .runtime.execSync(scene().ctx(), { containerId: id, cmd: ['no-such-program'], timeout: 120 })
        .then(
          ({ exitCode }) => `exit code ${exitCode}`,
          (error: unknown) => String(error),
        );
      expect(outcome).toMatch(/^exit code 12[67]$|executable file not found/);
    });

    it('fails with DeadlineExceeded at the timeout', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      await expect(scene().exec(id, 'sleep 600', 1)).rejects.toMatchObject(criError('DeadlineExceeded'));
      expect((await scene().status(id)).state).toBe('CONTAINER_RUNNING');
    });

    it('has no limit without a timeout', async () => {
      const id = await scene().start(await scene().pod(), 'sleep 3600');
      expect(await scene().exec(id, 'sleep 2; echo late', 0)).toMatchObject({ exitCode: 0, stdout: 'late\n' });
    });

    it('is rejected for an exited container', async () => {
      const sandbox = await scene().pod();
      const created = await scene().create(sandbox, 'true', { metadata: { name: 'created', attempt: 0 } });
      await expect(scene().exec(created, 'true')).rejects.toMatchObject(criError());
      const exited = await scene().start(sandbox, 'true', { metadata: { name: 'exited', attempt: 0 } });
      await scene().exited(exited);
      await expect(scene().exec(exited, 'true')).rejects.toMatchObject(criError());
    });

    it('is rejected for an unknown container', async () => {
      await expect(scene().exec('fedcba9876543210'.repeat(4), 'true')).rejects.toMatchObject(criError('NotFound'));
    });
  });
}
