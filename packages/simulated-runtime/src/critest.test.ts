/** Tests requirements of cri-tools' validation suite (critest) that the CRI contract suite doesn't cover. */
import { describe, expect, it } from 'vitest';
import { MemoryHostFiles } from './machine/host-files.ts';
import { TestRuntime } from './testing/test-runtime.ts';

const namespaceOptions = { network: 'POD', pid: 'CONTAINER', ipc: 'POD' } as const;

describe('programs', () => {
  it('top keeps a container running and lists its processes', async () => {
    const test = new TestRuntime();
    const id = await test.start({ command: ['sh', '-c', 'top'] });
    await test.clock.advance(60_000);
    expect((await test.status(id)).state).toBe('CONTAINER_RUNNING');
    expect((await test.exec(id, ['top', '-n', '1'])).stdout).toContain('sh -c top');
  });

  it('netstat and ipcs list what the pod has, and the tables of the node in shared namespaces', async () => {
    const test = new TestRuntime();
    await test.hostFiles.writeFile('/proc/net/tcp', 'sl local rem st\n 0: 00000000:1F90 00000000:0000 0A\n');
    await test.hostFiles.writeFile('/proc/sysvipc/shm', 'key shmid perms\n 0 4711 644 100 1 1 0 0\n');
    const shared = { ...namespaceOptions, network: 'NODE', ipc: 'NODE' } as const;
    const own = await test.start({ command: ['sh', '-c', 'nc -lk -p 81 & top'] });
    const node = await test.start({
      command: ['top'],
      linux: { securityContext: { namespaceOptions: shared } },
    });
    await test.clock.advance(1_000);
    expect((await test.exec(own, ['netstat', '-ln'])).stdout).toContain(':81 ');
    expect((await test.exec(own, ['netstat', '-ln'])).stdout).not.toContain(':8080 ');
    expect((await test.exec(own, ['ipcs', '-m'])).stdout).not.toContain('4711');
    expect((await test.exec(node, ['netstat', '-ln'])).stdout).toContain(':8080 ');
    expect((await test.exec(node, ['ipcs', '-m'])).stdout).toContain('4711');
  });

  it('ping needs NET_RAW and hostname NAME needs SYS_ADMIN', async () => {
    const test = new TestRuntime();
    const plain = await test.start({ command: ['top'] });
    const dropped = await test.start({
      command: ['top'],
      linux: { securityContext: { namespaceOptions, capabilities: { dropCapabilities: ['NET_RAW'] } } },
    });
    const admin = await test.start({
      command: ['top'],
      linux: { securityContext: { namespaceOptions, capabilities: { addCapabilities: ['SYS_ADMIN'] } } },
    });
    expect(await test.exec(plain, ['ping', '-c', '1', '127.0.0.1'])).toMatchObject({ code: 0 });
    expect((await test.exec(dropped, ['ping', '127.0.0.1'])).stderr).toContain('permission denied');
    expect(await test.exec(plain, ['hostname', 'other'])).toMatchObject({ code: 1 });
    expect(await test.exec(admin, ['hostname', 'other'])).toMatchObject({ code: 0 });
    expect((await test.exec(admin, ['hostname'])).stdout).toBe('other\n');
  });

  it("can't be run by name when they are masked", async () => {
    const test = new TestRuntime();
    const id = await test.start({
      command: ['top'],
      linux: { securityContext: { namespaceOptions, maskedPaths: ['/bin/ls'] } },
    });
    const { code, stderr } = await test.exec(id, ['/bin/sh', '-c', 'ls']);
    expect({ code, stderr }).toEqual({ code: 126, stderr: '/bin/sh: ls: Permission denied\n' });
  });
});

describe('images', () => {
  it('nginx writes its PID file and names its master process', async () => {
    const test = new TestRuntime();
    const id = await test.startImage('registry.k8s.io/e2e-test-images/nginx:1.14-2');
    await test.clock.advance(1_000);
    expect((await test.exec(id, ['cat', '/var/run/nginx.pid'])).stdout).toBe('1\n');
    expect((await test.exec(id, ['cat', '/proc/1/cmdline'])).stdout).toContain('master process');
  });

  it.each([
    [true, 'Effective uid: 1000'],
    [false, 'Effective uid: 0'],
  ])('nonewprivs with no_new_privs %s prints "%s"', async (noNewPrivs, line) => {
    const test = new TestRuntime();
    const id = await test.startImage('registry.k8s.io/e2e-test-images/nonewprivs:1.3', {
      linux: { securityContext: { namespaceOptions, noNewPrivs, runAsUser: { value: 1000 } } },
    });
    await test.exited(id);
    expect(await test.lines(id)).toEqual([line]);
  });

  it('with the same image under all tags have one id', async () => {
    const test = new TestRuntime();
    const name = 'gcr.io/k8s-staging-cri-tools/test-image-tags';
    for (const tag of ['1', '2', '3']) test.simulator.addImage(`${name}:${tag}`);
    const { image } = await test.simulator.images.imageStatus(test.ctx, { image: { image: `${name}:2` } });
    expect(image?.repoTags).toEqual([`${name}:1`, `${name}:2`, `${name}:3`]);
  });
});

class FilesWithSubmount extends MemoryHostFiles {
  mountPoints(): readonly string[] {
    return ['/', '/data/tmpfs'];
  }
}

describe('mounts', () => {
  it.each([
    [false, 0],
    [true, 1],
  ])('with recursive_read_only %s: writing to a mount of the node below exits with %i', async (recursive, code) => {
    const hostFiles = new FilesWithSubmount();
    const test = new TestRuntime({ hostFiles });
    await hostFiles.mkdirAll('/data/tmpfs');
    const mount = { containerPath: '/mnt', hostPath: '/data', readonly: true, recursiveReadOnly: recursive };
    const id = await test.start({ command: ['top'], mounts: [mount] });
    expect((await test.exec(id, ['touch', '/mnt/file'])).code).toBe(1);
    expect((await test.exec(id, ['touch', '/mnt/tmpfs/file'])).code).toBe(code);
  });

  it('reject recursive_read_only without readonly or with propagation', async () => {
    const test = new TestRuntime();
    const mount = { containerPath: '/mnt', hostPath: '/data', recursiveReadOnly: true };
    await expect(test.create({ mounts: [mount] })).rejects.toThrow('requires readonly');
    await expect(
      test.create({ mounts: [{ ...mount, readonly: true, propagation: 'PROPAGATION_BIDIRECTIONAL' }] }),
    ).rejects.toThrow('requires private propagation');
  });

  it('show the files of an image volume, read-only', async () => {
    const test = new TestRuntime();
    test.simulator.addImage('nginx:1.27');
    const volume = { containerPath: '/site', image: { image: 'nginx:1.27' }, imageSubPath: 'usr/share/nginx/html' };
    const id = await test.start({ command: ['top'], mounts: [volume] });
    expect((await test.exec(id, ['cat', '/site/index.html'])).stdout).toContain('Welcome to nginx!');
    expect((await test.exec(id, ['touch', '/site/new'])).stderr).toContain('Read-only file system');
    await expect(test.create({ mounts: [{ containerPath: '/site', image: { image: 'absent:1' } }] })).rejects.toThrow(
      'No such image: absent:1',
    );
  });
});

it('a shell without a terminal runs each command when its line arrives on an attached stdin', async () => {
  const test = new TestRuntime();
  const id = await test.start({ command: ['sh'], stdin: true });
  const line = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  let output = '';
  async function* typed(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode('echo hello\n');
    await line.promise;
  }
  const { streams } = test.simulator;
  if (!streams) throw new Error('no streams');
  const stdout = {
    write: (data: Uint8Array): Promise<void> => {
      output += new TextDecoder().decode(data);
      answered.resolve();
      return Promise.resolve();
    },
  };
  void streams.attach(test.ctx, id, { stdin: typed(), stdout, tty: false });
  await test.drive(answered.promise);
  expect(output).toBe('hello\n');
  line.resolve();
});
