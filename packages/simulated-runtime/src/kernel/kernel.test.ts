import type { ContainerConfig, LinuxContainerSecurityContext, NamespaceOption } from '@podscope/cri';
import { describe, expect, it } from 'vitest';
import { runScript } from '../testing/run-script.ts';
import { TestRuntime } from '../testing/test-runtime.ts';

const namespaces = (pid: NamespaceOption['pid'], targetId?: string): NamespaceOption => ({
  network: 'POD',
  pid,
  ipc: 'POD',
  ...(targetId && { targetId }),
});
const secured = (securityContext: LinuxContainerSecurityContext): Partial<ContainerConfig> => ({
  command: ['sleep', '3600'],
  linux: { securityContext: { namespaceOptions: namespaces('CONTAINER'), ...securityContext } },
});

describe('a PID namespace', () => {
  it("shared by a pod shows pause and all of the pod's processes to each", async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox();
    const shared = (name: string) => ({
      ...secured({ namespaceOptions: namespaces('POD') }),
      metadata: { name, attempt: 0 },
    });
    const first = await test.start(shared('first'), sandbox);
    await test.start({ ...shared('second'), command: ['sleep', '1800'] }, sandbox);
    const { stdout } = await test.exec(first, ['ps']);
    expect(stdout).toContain('/pause');
    expect(stdout).toContain('sleep 1800');
    expect(await test.exec(first, ['sh', '-c', 'kill -9 $(pidof sleep)'])).toMatchObject({ code: 137 });
  });

  it('ends with its process 1: killing pause ends the sandbox and its containers', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox();
    const id = await test.start(secured({ namespaceOptions: namespaces('POD') }), sandbox);
    await test.exec(id, ['kill', '1']);
    expect(await test.exited(id)).toMatchObject({ exitCode: 137 });
    const { status } = await test.driven.runtime.podSandboxStatus(test.ctx, { podSandboxId: sandbox.id });
    expect(status.state).toBe('SANDBOX_NOTREADY');
  });

  it('shared with a target container ends with it, and a process of either can end it', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox();
    const target = await test.start(
      { command: ['sh', '-c', 'trap "exit 7" TERM; while true; do sleep 1; done'] },
      sandbox,
    );
    const linux = { securityContext: { namespaceOptions: namespaces('TARGET', target) } };
    const debuggerId = await test.start(
      { metadata: { name: 'debugger', attempt: 0 }, command: ['sleep', '3600'], linux },
      sandbox,
    );
    await test.exec(debuggerId, ['kill', '1']);
    expect(await test.exited(target)).toMatchObject({ exitCode: 7 });
    expect(await test.exited(debuggerId)).toMatchObject({ exitCode: 137 });
    await expect(test.start({ metadata: { name: 'late', attempt: 0 }, linux }, sandbox)).rejects.toThrow(
      'cannot join PID of a non running container',
    );
  });
});

describe('the permissions of a process', () => {
  it('are shown in /proc/self/status; an unknown capability fails the start', async () => {
    const test = new TestRuntime();
    const id = await test.start(
      secured({
        capabilities: { addCapabilities: ['NET_ADMIN'], dropCapabilities: ['ALL'] },
        runAsUser: { value: 1000 },
      }),
    );
    const { stdout } = await test.exec(id, ['grep', '-E', '^(Uid|CapEff|CapBnd):', '/proc/self/status']);
    expect(stdout).toBe('Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\nCapBnd:\t0000000000001000\n');
    await expect(test.start(secured({ capabilities: { addCapabilities: ['NET_ADMN'] } }))).rejects.toThrow(
      'unknown capability: "CAP_NET_ADMN"',
    );
  });

  it('include mounting only in a privileged container', async () => {
    const test = new TestRuntime();
    const plain = await test.start(secured({}));
    expect(await test.exec(plain, ['mount', '-t', 'tmpfs', 'none', '/mnt'])).toMatchObject({
      code: 1,
      stderr: 'mount: permission denied (are you root?)\n',
    });
    const privileged = await test.start(secured({ privileged: true }));
    const script =
      'mkdir /m; echo below > /m/a; mount -t tmpfs none /m; ls /m; echo above > /m/b; cat /m/b; umount /m; cat /m/a; umount /m';
    expect(await test.exec(privileged, ['sh', '-c', script])).toMatchObject({
      stdout: 'above\nbelow\n',
      stderr: "umount: can't unmount /m: Invalid argument\n",
    });
  });

  it('follow the seccomp profile; a missing or invalid profile fails the start', async () => {
    const test = new TestRuntime();
    const localhost = (localhostRef: string) => secured({ seccomp: { profileType: 'Localhost', localhostRef } });
    await expect(test.start(localhost('/profiles/none.json'))).rejects.toThrow(
      'cannot load seccomp profile "/profiles/none.json"',
    );
    await test.hostFiles.writeFile('/profiles/bad.json', '{"syscalls": []}');
    await expect(test.start(localhost('/profiles/bad.json'))).rejects.toThrow(
      /opening seccomp profile.*defaultAction/s,
    );
    await test.hostFiles.writeFile(
      '/profiles/strict.json',
      '{"defaultAction": "SCMP_ACT_ERRNO", "syscalls": [{"names": ["mkdirat"], "action": "SCMP_ACT_ALLOW"}]}',
    );
    const id = await test.start(localhost('/profiles/strict.json'));
    expect(await test.exec(id, ['mkdir', '/new'])).toMatchObject({ code: 0 });
    expect(await test.exec(id, ['chmod', '400', '/tmp'])).toMatchObject({
      code: 1,
      stderr: 'chmod: /tmp: Operation not permitted\n',
    });
  });
});

describe('runAsUsername', () => {
  it('fails the start for a user that the image lacks, and sets uid and gid for one that it has', async () => {
    const test = new TestRuntime();
    await expect(test.start(secured({ runAsUsername: 'nosuch' }))).rejects.toThrow(
      'unable to find user nosuch: no matching entries in passwd file',
    );
    const id = await test.start(secured({ runAsUsername: 'nobody' }));
    expect((await test.exec(id, ['id'])).stdout).toBe('uid=65534(nobody) gid=65534(nobody)\n');
  });
});

describe('a sysctl', () => {
  it('has the same value in all containers of a pod after a privileged container changed it', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox();
    const id = await test.start({ ...secured({ privileged: true }), metadata: { name: 'init', attempt: 0 } }, sandbox);
    await test.exec(id, ['sh', '-c', 'echo 262144 > /proc/sys/vm/max_map_count']);
    const other = await test.start(secured({}), sandbox);
    expect((await test.exec(other, ['cat', '/proc/sys/vm/max_map_count'])).stdout).toBe('262144\n');
  });
});

describe('a script that reads /proc, /sys or links prints the expected output', () => {
  it.each([
    ['cat /proc/1/comm /proc/self/comm', 'sh\ncat\n'],
    ['tr "\\0" " " < /proc/1/cmdline | cut -c1-5', 'sh -c\n'],
    ['cat /proc/sys/net/core/somaxconn; ls /proc/sys/vm', '4096\nmax_map_count\novercommit_memory\n'],
    ['test -d /proc/1 && test ! -e /proc/99 && echo yes', 'yes\n'],
    ['ls /proc/self/ns', 'ipc\nnet\npid\nuts\n'],
    ['echo one > /proc/self/fd/1; head -n1 < /proc/self/status', 'one\nName:\tsh\n'],
    ['mkdir /d; for i in 1 2 3; do echo $i >> /d/f & done; wait; cat /d/f', '1\n2\n3\n'],
    ['readlink -f /tmp; readlink /tmp || echo none', '/tmp\nnone\n'],
    ['echo x > /proc/sys/vm/overcommit_memory || echo refused', 'refused\n'],
    ['cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/memory.max', 'max 100000\n67108864\n'],
    ['cat /proc/self/environ | tr "\\0" "\\n" | grep HOSTNAME', 'HOSTNAME=box\n'],
  ])('%s', async (script, expected) => {
    expect((await runScript(script, { memoryLimit: 64 * 1024 ** 2 })).stdout).toBe(expected);
  });
});
