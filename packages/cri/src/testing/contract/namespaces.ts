/** Defines the CRI contract tests of namespaces and sysctls, which follow the validation tests of cri-tools. */
import { describe, expect, it } from 'vitest';
import type { NamespaceOption, PodSandboxConfig } from '../../messages.ts';
import type { Scene } from '../scene.ts';
import type { RunningSandbox } from '../shared-pod.ts';

const kinds = ['net', 'ipc', 'pid'] as const;
type Namespaces = Readonly<Record<(typeof kinds)[number], string>>;

const sandboxOf = (namespaceOptions: NamespaceOption): Partial<PodSandboxConfig> => ({
  hostname: '',
  linux: { securityContext: { namespaceOptions } },
});

export function describeNamespaces(scene: () => Scene): void {
  /** Starts a container and returns its namespaces. */
  async function look(sandbox: RunningSandbox, name: string, namespaceOptions: NamespaceOption | undefined) {
    const config = {
      metadata: { name, attempt: 0 },
      linux: { securityContext: namespaceOptions ? { namespaceOptions } : {} },
    };
    const id = await scene().start(sandbox, `exec sleep 36${name.length}`, config);
    const { stdout } = await scene().exec(
      id,
      `for kind in ${kinds.join(' ')}; do readlink /proc/self/ns/$kind; done; tr '\\0' ' ' < /proc/1/cmdline`,
    );
    const [net = '', ipc = '', pid = '', first = ''] = stdout.split('\n');
    return { id, namespaces: { net, ipc, pid } satisfies Namespaces, first };
  }

  describe('namespaces', () => {
    it("are the pod's, the container's own, or another container's", async () => {
      const sandbox = await scene().sandbox(sandboxOf({ network: 'POD', pid: 'POD', ipc: 'POD' }));
      const unsaid = await look(sandbox, 'a', undefined);
      const shared = await look(sandbox, 'ab', { network: 'POD', pid: 'POD', ipc: 'POD' });
      const own = await look(sandbox, 'abc', { network: 'POD', pid: 'CONTAINER', ipc: 'POD' });
      const target = await look(sandbox, 'abcd', { network: 'POD', pid: 'TARGET', ipc: 'POD', targetId: own.id });
      // POD is the zero value in protobuf, so options without a mode mean POD.
      expect(unsaid.namespaces).toEqual(shared.namespaces);
      expect([shared.first, own.first, target.first]).toEqual([
        expect.stringContaining('pause'),
        'sleep 363 ',
        'sleep 363 ',
      ]);
      expect((await scene().sandboxStatus(sandbox.id)).linux?.namespaces?.options?.pid).toBe('POD');
      const { net, ipc, pid } = shared.namespaces;
      expect(own.namespaces).toEqual({ net, ipc, pid: expect.not.stringMatching(pid) as string });
      expect(target.namespaces).toEqual(own.namespaces);
    });

    it("are the node's", async () => {
      const options: NamespaceOption = { network: 'NODE', pid: 'NODE', ipc: 'NODE' };
      const [first, second] = [await scene().sandbox(sandboxOf(options)), await scene().sandbox(sandboxOf(options))];
      const [one, two] = [await look(first, 'a', options), await look(second, 'ab', options)];
      expect(one.namespaces).toEqual(two.namespaces);
      const apart = await look(await scene().pod(), 'abc', { network: 'POD', pid: 'CONTAINER', ipc: 'POD' });
      for (const kind of kinds) expect(apart.namespaces[kind]).not.toBe(one.namespaces[kind]);
      expect(one.first).not.toContain('pause');
      expect((await scene().sandboxStatus(first.id)).linux?.namespaces?.options).toMatchObject(options);
    });

    it("have the pod's sysctls", async () => {
      const config = scene().sandboxConfig();
      const sysctls = { 'kernel.shm_rmid_forced': '1', 'fs.mqueue.msg_max': '100' };
      const sandbox = await scene().runSandbox({ ...config, linux: { ...config.linux, sysctls } });
      const id = await scene().start(sandbox, 'sleep 3600');
      expect((await scene().exec(id, 'cat /proc/sys/kernel/shm_rmid_forced /proc/sys/fs/mqueue/msg_max')).stdout).toBe(
        '1\n100\n',
      );
    });

    it("have the pod's name servers", async () => {
      const dnsConfig = { servers: ['10.10.10.10'], searches: ['example.com'], options: ['ndots:8'] };
      const id = await scene().start(await scene().sandbox({ dnsConfig }), 'sleep 3600');
      const { stdout } = await scene().exec(id, 'cat /etc/resolv.conf');
      const lines = stdout.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
      expect(lines.toSorted()).toEqual(['nameserver 10.10.10.10', 'options ndots:8', 'search example.com']);
    });
  });
}
