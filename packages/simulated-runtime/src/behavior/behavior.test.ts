import { describe, expect, it } from 'vitest';
import { TestRuntime } from '../testing/test-runtime.ts';

const sh = (script: string) => ({ command: ['sh', '-c', script] });

describe('a container without a script', () => {
  it('runs the liveness example of the documentation, which removes its file after 30 s', async () => {
    const test = new TestRuntime();
    const id = await test.start({
      args: ['/bin/sh', '-c', 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600'],
    });
    await test.clock.advance(5000);
    expect((await test.exec(id, ['cat', '/tmp/healthy'])).code).toBe(0);
    await test.clock.advance(30_000);
    expect(await test.exec(id, ['cat', '/tmp/healthy'])).toMatchObject({
      code: 1,
      stderr: "cat: can't open '/tmp/healthy': No such file or directory\n",
    });
    await test.clock.advance(600_000);
    expect(await test.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', reason: 'Completed' });
  });

  it('runs the command of its image when the manifest has no command', async () => {
    const test = new TestRuntime();
    expect(await test.exited(await test.start())).toMatchObject({ exitCode: 0, reason: 'Completed' });
    const nginx = await test.startImage('nginx:1.27');
    await test.clock.advance(60_000);
    expect(await test.status(nginx)).toMatchObject({ state: 'CONTAINER_RUNNING', image: { image: 'nginx:1.27' } });
    expect(await test.stop(nginx, 30)).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  it('writes its termination message to the file that the kubelet mounted', async () => {
    const test = new TestRuntime();
    await test.hostFiles.writeFile('/var/lib/kubelet/termination', '');
    const id = await test.start({
      ...sh('sleep 10 && echo Sleep expired > /dev/termination-log'),
      mounts: [{ containerPath: '/dev/termination-log', hostPath: '/var/lib/kubelet/termination' }],
    });
    await test.exited(id);
    expect(new TextDecoder().decode(await test.hostFiles.readFile('/var/lib/kubelet/termination'))).toBe(
      'Sleep expired\n',
    );
  });

  it('reads a file that another container wrote to the same mount', async () => {
    const test = new TestRuntime();
    await test.hostFiles.mkdirAll('/var/lib/kubelet/shared');
    const mounts = [{ containerPath: '/data', hostPath: '/var/lib/kubelet/shared' }];
    const sandbox = await test.sandbox();
    await test.exited(await test.start({ ...sh('echo hello > /data/file'), mounts }, sandbox));
    const reader = await test.start(
      { metadata: { name: 'reader', attempt: 0 }, command: ['cat', '/data/file'], mounts },
      sandbox,
    );
    await test.exited(reader);
    expect(await test.lines(reader)).toEqual(['hello']);
  });

  it('fails to start when its program does not exist or is not executable', async () => {
    const test = new TestRuntime();
    const id = await test.create({ command: ['foo'] });
    await expect(test.driven.runtime.startContainer(test.ctx, { containerId: id })).rejects.toThrow(
      /exec: "foo": executable file not found in \$PATH: unknown$/,
    );
    expect(await test.status(id)).toMatchObject({
      state: 'CONTAINER_EXITED',
      exitCode: 127,
      reason: 'ContainerCannotRun',
    });
    const path = await test.create({ command: ['/app/foo'] });
    await expect(test.driven.runtime.startContainer(test.ctx, { containerId: path })).rejects.toThrow(
      'exec: "/app/foo": stat /app/foo: no such file or directory',
    );
    const directory = await test.create({ command: ['/etc'] });
    await expect(test.driven.runtime.startContainer(test.ctx, { containerId: directory })).rejects.toThrow(
      'exec: "/etc": permission denied',
    );
    expect((await test.status(directory)).exitCode).toBe(126);
  });

  it('fails as postgres without a password and is ready for connections with one', async () => {
    const test = new TestRuntime();
    const refused = await test.exited(await test.startImage('postgres:16'));
    expect(refused).toMatchObject({ exitCode: 1, reason: 'Error' });
    const id = await test.startImage('postgres:16', { envs: [{ key: 'POSTGRES_PASSWORD', value: 'x' }] });
    expect((await test.exec(id, ['pg_isready'])).code).toBe(2);
    await test.clock.advance(5000);
    expect((await test.exec(id, ['pg_isready'])).code).toBe(0);
  });

  it('ignores SIGTERM as process 1 and exits on it in a shared PID namespace', async () => {
    const test = new TestRuntime();
    const alone = await test.start({ command: ['sleep', '3600'] });
    const before = test.clock.now();
    expect(await test.stop(alone, 10)).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(test.clock.now() - before).toBeGreaterThanOrEqual(10_000);
    const shared = await test.start({
      command: ['sleep', '3600'],
      linux: { securityContext: { namespaceOptions: { network: 'POD', pid: 'POD', ipc: 'POD' } } },
    });
    expect(await test.stop(shared, 10)).toMatchObject({ exitCode: 143, reason: 'Error' });
  });

  it('is reported as OOMKilled when a child ran out of memory, even if it exits with code 0', async () => {
    const test = new TestRuntime();
    const status = await test.exited(
      await test.start({
        ...sh('tail /dev/zero; exit 0'),
        linux: { resources: { memoryLimitInBytes: 64 * 1024 ** 2 } },
      }),
    );
    expect(status).toMatchObject({ exitCode: 0, reason: 'OOMKilled' });
  });
});

describe('a container with a script', () => {
  it('logs and exits at the times and with the code of its script', async () => {
    const test = new TestRuntime();
    const id = await test.startScript('exit=3 after=5s; log="hello" every=1s');
    const { exitCode, startedAt, finishedAt } = await test.exited(id);
    expect(exitCode).toBe(3);
    expect(Number(finishedAt - startedAt) / 1e6).toBeCloseTo(5003, -1);
    expect(await test.lines(id)).toEqual(['hello', 'hello', 'hello', 'hello', 'hello']);
  });

  it.each([
    ['oom after=3s', { exitCode: 137, reason: 'OOMKilled' }],
    ['oom after=3s code=1', { exitCode: 1, reason: 'OOMKilled' }],
    ['signal=SEGV after=1s', { exitCode: 139, reason: 'Error' }],
    ['exit=0', { exitCode: 0, reason: 'Completed' }],
  ])('%s', async (script, expected) => {
    const test = new TestRuntime();
    expect(await test.exited(await test.startScript(script))).toMatchObject(expected);
  });

  it('follows the clause for the number of its attempt', async () => {
    const test = new TestRuntime();
    const sandbox = await test.sandbox({
      annotations: { 'sim.podscope.dev/app': 'attempt=0-1 exit=1 after=1s; attempt=2- run' },
    });
    const attempt = (number: number) => test.start({ metadata: { name: 'app', attempt: number } }, sandbox);
    expect((await test.exited(await attempt(0))).exitCode).toBe(1);
    expect((await test.exited(await attempt(1))).exitCode).toBe(1);
    const third = await attempt(2);
    await test.clock.advance(60_000);
    expect((await test.status(third)).state).toBe('CONTAINER_RUNNING');
  });

  it('ignores SIGTERM, or exits with the code and delay of its `sigterm` clause', async () => {
    const test = new TestRuntime();
    const deaf = await test.startScript('run; ignore-sigterm');
    expect((await test.stop(deaf, 5)).exitCode).toBe(137);
    const slow = await test.startScript('run; sigterm=4 after=3s');
    const before = test.clock.now();
    expect((await test.stop(slow, 30)).exitCode).toBe(4);
    expect(test.clock.now() - before).toBeLessThan(4000);
  });

  it('answers exec and HTTP probes until the end of the clause', async () => {
    const test = new TestRuntime();
    const id = await test.startScript(
      'run; exec="cat /tmp/ok" exit=1 until=10s; exec=* stdout="fine" delay=2s; listen=8080 body="up" until=20s',
    );
    expect(await test.exec(id, ['cat', '/tmp/ok'])).toMatchObject({ code: 1 });
    await test.clock.advance(10_000);
    expect(await test.exec(id, ['cat', '/tmp/ok'])).toMatchObject({ code: 0, stdout: 'fine' });
    await expect(test.exec(id, ['anything'], 1)).rejects.toMatchObject({ code: 'DeadlineExceeded' });
    const url = 'http://10.244.0.2:8080/healthz';
    expect(await test.drive(test.simulator.network.get({ url, headers: {} }))).toEqual({ status: 200, body: 'up' });
    await test.clock.advance(20_000);
    expect(await test.drive(test.simulator.network.get({ url, headers: {} }))).toMatchObject({ status: 500 });
  });

  it('runs its command when the script has only `exec` and `memory` clauses', async () => {
    const test = new TestRuntime();
    const id = await test.startScript('exec="check" exit=7; memory=100Mi after=1s', { command: ['sleep', '60'] });
    await test.clock.advance(2000);
    expect((await test.exec(id, ['check'])).code).toBe(7);
    const { stats } = await test.driven.runtime.containerStats(test.ctx, { containerId: id });
    expect(stats.memory?.workingSetBytes?.value).toBe(100 * 1024 ** 2);
    expect((await test.exited(id)).exitCode).toBe(0);
  });

  it('fails to start with the message of `start-error`', async () => {
    const test = new TestRuntime();
    await expect(test.startScript('start-error="no space left on device" code=128')).rejects.toThrow(
      /OCI runtime create failed: runc create failed: no space left on device$/,
    );
  });

  it('names a failed start as containerd does if `start-error` has that reason', async () => {
    const test = new TestRuntime({ scripts: { 'pod-1/app': 'start-error="no shell" code=128 reason=StartError' } });
    const id = await test.create({});
    await expect(test.driven.runtime.startContainer(test.ctx, { containerId: id })).rejects.toThrow(/no shell$/);
    expect(await test.status(id)).toMatchObject({ exitCode: 128, reason: 'StartError' });
  });

  it('follows a script from the options of the simulator', async () => {
    const test = new TestRuntime({ scripts: { 'pod-1/app': 'exit=9' } });
    expect((await test.exited(await test.start())).exitCode).toBe(9);
  });

  it('has no script when its name is `constructor` and the options name another container', async () => {
    const test = new TestRuntime({ scripts: { 'pod-1/app': 'exit=9' } });
    const id = await test.start({ ...sh('exit 3'), metadata: { name: 'constructor', attempt: 0 } });
    expect((await test.exited(id)).exitCode).toBe(3);
  });

  it('is rejected with the name of the clause when its script is invalid', async () => {
    const test = new TestRuntime();
    await expect(test.startScript('exit=1 after=soon')).rejects.toMatchObject({
      code: 'InvalidArgument',
      message:
        'script of container "app" (annotation sim.podscope.dev/app): clause "exit=1 after=soon": after=soon ' +
        'is not a duration such as 5s or 5s~2s',
    });
    await expect(test.startScript('explode')).rejects.toThrow(/"explode" isn't a clause; clauses are exit, oom/);
    await expect(test.startScript('exit=1 stdout=x')).rejects.toThrow(`"stdout" isn't allowed with "exit"`);
    await expect(test.startScript('exit=1 "loose"')).rejects.toThrow("can't read");
  });
});
