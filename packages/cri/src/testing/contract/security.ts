/** Defines the CRI contract tests of security contexts, which follow the validation tests of cri-tools. */
import { describe, expect, it } from 'vitest';
import type { LinuxContainerSecurityContext } from '../../messages.ts';
import { criError, type Scene } from '../scene.ts';

const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;

/** The number of the capability NET_ADMIN in the kernel. */
const netAdmin = 12n;
const sysAdmin = 21n;

const blockChmod = JSON.stringify({
  defaultAction: 'SCMP_ACT_ALLOW',
  syscalls: [{ names: ['chmod', 'fchmodat', 'fchmodat2'], action: 'SCMP_ACT_ERRNO' }],
});

export function describeSecurity(scene: () => Scene): void {
  let last = 0;
  /** Runs a container with a security context in the shared pod and executes a script in it. */
  async function run(
    securityContext: LinuxContainerSecurityContext,
    script: string,
  ): Promise<{ exitCode: number; stdout: string; stderr: string }> {
    const config = {
      metadata: { name: `secured-${++last}`, attempt: 0 },
      linux: { securityContext: { namespaceOptions, ...securityContext } },
    };
    return scene().exec(await scene().start(await scene().pod(), 'sleep 3600', config), script);
  }
  const statusLine = async (name: string, securityContext: LinuxContainerSecurityContext): Promise<string> =>
    (await run(securityContext, `grep ^${name}: /proc/self/status | cut -f2`)).stdout.trim();

  describe('security context', () => {
    it('sets the user, group and supplementary groups', async () => {
      const asked = { runAsUser: { value: 1001 }, runAsGroup: { value: 1002 }, supplementalGroups: [1234, 5678] };
      expect((await run(asked, 'id -u; id -g; id -G')).stdout).toMatch(/^1001\n1002\n1002 1234 5678\n$/);
      expect((await run({ runAsUsername: 'nobody' }, 'id -un')).stdout).toBe('nobody\n');
      await expect(run({ runAsGroup: { value: 1002 } }, 'id')).rejects.toMatchObject(criError());
    });

    it('makes the root file system and paths read-only or masked', async () => {
      expect((await run({}, 'touch /new && echo written')).stdout).toBe('written\n');
      expect((await run({ readonlyRootfs: true }, 'touch /new')).stderr).toContain('Read-only file system');
      const paths = { maskedPaths: ['/bin/ls'], readonlyPaths: ['/tmp'] };
      const { stderr } = await run(paths, '/bin/ls; touch /tmp/new');
      expect(stderr).toContain('/bin/ls: Permission denied');
      expect(stderr).toContain('touch: /tmp/new: Read-only file system');
    });

    it('adds and drops capabilities', async () => {
      const bounding = async (add: readonly string[], drop: readonly string[]): Promise<bigint> =>
        BigInt(`0x${await statusLine('CapBnd', { capabilities: { addCapabilities: add, dropCapabilities: drop } })}`);
      const has = (mask: bigint, capability: bigint): boolean => (mask & (1n << capability)) !== 0n;
      expect(has(await bounding([], []), netAdmin)).toBe(false);
      expect(has(await bounding(['NET_ADMIN'], []), netAdmin)).toBe(true);
      expect(await bounding([], ['ALL'])).toBe(0n);
      const all = await bounding(['ALL'], []);
      expect([has(all, netAdmin), has(all, sysAdmin)]).toEqual([true, true]);
    });

    it('makes a container privileged', async () => {
      const sandbox = await scene().sandbox({ linux: { securityContext: { namespaceOptions, privileged: true } } });
      const linux = { securityContext: { namespaceOptions, privileged: true } };
      const id = await scene().start(sandbox, 'sleep 3600', { linux });
      const script = 'brctl addbr critest; ls -d /dev/kmsg; mkdir /m; mount --bind /etc /m; ls -d /m/passwd';
      expect(await scene().exec(id, script)).toEqual({ exitCode: 0, stdout: '/dev/kmsg\n/m/passwd\n', stderr: '' });
      expect((await run({}, 'brctl addbr critest')).exitCode).not.toBe(0);
    });

    it('applies a seccomp profile', async () => {
      expect(await statusLine('Seccomp', {})).toBe('0');
      expect(await statusLine('Seccomp', { seccomp: { profileType: 'Unconfined' } })).toBe('0');
      expect(await statusLine('Seccomp', { seccomp: { profileType: 'RuntimeDefault' } })).toBe('2');
      const localhostRef = await scene().environment.hostFile('block-chmod.json', blockChmod);
      const { stderr } = await run({ seccomp: { profileType: 'Localhost', localhostRef } }, 'chmod 400 /tmp');
      expect(stderr).toContain('Operation not permitted');
    });

    it('applies no_new_privs', async () => {
      expect(await statusLine('NoNewPrivs', { noNewPrivs: true })).toBe('1');
      expect(await statusLine('NoNewPrivs', {})).toBe('0');
    });
  });
}
