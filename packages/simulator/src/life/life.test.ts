import { describe, expect, it } from 'vitest';
import { Stage } from '../testing/stage.ts';

const sh = (script: string) => ({ command: ['sh', '-c', script] });

describe('a container lives by its command', () => {
  it('as the liveness example of the documentation', async () => {
    const stage = new Stage();
    const id = await stage.start({ args: ['/bin/sh', '-c', 'touch /tmp/healthy; sleep 30; rm -f /tmp/healthy; sleep 600'] });
    await stage.clock.advance(5000);
    expect((await stage.exec(id, ['cat', '/tmp/healthy'])).code).toBe(0);
    await stage.clock.advance(30_000);
    expect(await stage.exec(id, ['cat', '/tmp/healthy'])).toMatchObject({ code: 1, stderr: "cat: can't open '/tmp/healthy': No such file or directory\n" });
    await stage.clock.advance(600_000);
    expect(await stage.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', reason: 'Completed' });
  });

  it('of the image when the manifest has none', async () => {
    const stage = new Stage();
    expect(await stage.exited(await stage.start())).toMatchObject({ exitCode: 0, reason: 'Completed' });
    const nginx = await stage.startImage('nginx:1.27');
    await stage.clock.advance(60_000);
    expect(await stage.status(nginx)).toMatchObject({ state: 'CONTAINER_RUNNING', image: { image: 'nginx:1.27' } });
    expect(await stage.stop(nginx, 30)).toMatchObject({ exitCode: 0, reason: 'Completed' });
  });

  it('and writes its termination message where the kubelet mounted it', async () => {
    const stage = new Stage();
    await stage.hostFiles.writeFile('/var/lib/kubelet/termination', '');
    const id = await stage.start({
      ...sh('sleep 10 && echo Sleep expired > /dev/termination-log'),
      mounts: [{ containerPath: '/dev/termination-log', hostPath: '/var/lib/kubelet/termination' }],
    });
    await stage.exited(id);
    expect(new TextDecoder().decode(await stage.hostFiles.readFile('/var/lib/kubelet/termination'))).toBe('Sleep expired\n');
  });

  it('and shares what is mounted into two', async () => {
    const stage = new Stage();
    await stage.hostFiles.mkdirAll('/var/lib/kubelet/shared');
    const mounts = [{ containerPath: '/data', hostPath: '/var/lib/kubelet/shared' }];
    const sandbox = await stage.sandbox();
    await stage.exited(await stage.start({ ...sh('echo hello > /data/file'), mounts }, sandbox));
    const reader = await stage.start({ metadata: { name: 'reader', attempt: 0 }, command: ['cat', '/data/file'], mounts }, sandbox);
    await stage.exited(reader);
    expect(await stage.lines(reader)).toEqual(['hello']);
  });

  it('unless the program is not there', async () => {
    const stage = new Stage();
    const id = await stage.create({ command: ['foo'] });
    await expect(stage.driven.runtime.startContainer(stage.ctx, { containerId: id })).rejects.toThrow(
      /exec: "foo": executable file not found in \$PATH: unknown$/,
    );
    expect(await stage.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 127, reason: 'ContainerCannotRun' });
    const path = await stage.create({ command: ['/app/foo'] });
    await expect(stage.driven.runtime.startContainer(stage.ctx, { containerId: path })).rejects.toThrow(
      'exec: "/app/foo": stat /app/foo: no such file or directory',
    );
    const directory = await stage.create({ command: ['/etc'] });
    await expect(stage.driven.runtime.startContainer(stage.ctx, { containerId: directory })).rejects.toThrow('exec: "/etc": permission denied');
    expect((await stage.status(directory)).exitCode).toBe(126);
  });

  it('and knows what a database insists on', async () => {
    const stage = new Stage();
    const refused = await stage.exited(await stage.startImage('postgres:16'));
    expect(refused).toMatchObject({ exitCode: 1, reason: 'Error' });
    const id = await stage.startImage('postgres:16', { envs: [{ key: 'POSTGRES_PASSWORD', value: 'x' }] });
    expect((await stage.exec(id, ['pg_isready'])).code).toBe(2);
    await stage.clock.advance(5000);
    expect((await stage.exec(id, ['pg_isready'])).code).toBe(0);
  });

  it('as process 1, so that SIGTERM passes it by; in a shared PID namespace it does not', async () => {
    const stage = new Stage();
    const alone = await stage.start({ command: ['sleep', '3600'] });
    const before = stage.clock.now();
    expect(await stage.stop(alone, 10)).toMatchObject({ exitCode: 137, reason: 'Error' });
    expect(stage.clock.now() - before).toBeGreaterThanOrEqual(10_000);
    const shared = await stage.start({
      command: ['sleep', '3600'],
      linux: { securityContext: { namespaceOptions: { network: 'POD', pid: 'POD', ipc: 'POD' } } },
    });
    expect(await stage.stop(shared, 10)).toMatchObject({ exitCode: 143, reason: 'Error' });
  });

  it('and is OOMKilled for good once a child was', async () => {
    const stage = new Stage();
    const status = await stage.exited(await stage.start({ ...sh('tail /dev/zero; exit 0'), linux: { resources: { memoryLimitInBytes: 64 * 1024 ** 2 } } }));
    expect(status).toMatchObject({ exitCode: 0, reason: 'OOMKilled' });
  });
});

describe('a container lives by its script', () => {
  it('ends as it says, when it says', async () => {
    const stage = new Stage();
    const id = await stage.startScript('exit=3 after=5s; log="hello" every=1s');
    const { exitCode, startedAt, finishedAt } = await stage.exited(id);
    expect(exitCode).toBe(3);
    expect(Number(finishedAt - startedAt) / 1e6).toBeCloseTo(5003, -1);
    expect(await stage.lines(id)).toEqual(['hello', 'hello', 'hello', 'hello', 'hello']);
  });

  it.each([
    ['oom after=3s', { exitCode: 137, reason: 'OOMKilled' }],
    ['signal=SEGV after=1s', { exitCode: 139, reason: 'Error' }],
    ['exit=0', { exitCode: 0, reason: 'Completed' }],
  ])('%s', async (script, expected) => {
    const stage = new Stage();
    expect(await stage.exited(await stage.startScript(script))).toMatchObject(expected);
  });

  it('does otherwise in a later attempt', async () => {
    const stage = new Stage();
    const sandbox = await stage.sandbox({ annotations: { 'sim.podscope.dev/app': 'attempt=0-1 exit=1 after=1s; attempt=2- run' } });
    const attempt = (number: number) => stage.start({ metadata: { name: 'app', attempt: number } }, sandbox);
    expect((await stage.exited(await attempt(0))).exitCode).toBe(1);
    expect((await stage.exited(await attempt(1))).exitCode).toBe(1);
    const third = await attempt(2);
    await stage.clock.advance(60_000);
    expect((await stage.status(third)).state).toBe('CONTAINER_RUNNING');
  });

  it('takes SIGTERM as it says', async () => {
    const stage = new Stage();
    const deaf = await stage.startScript('run; ignore-sigterm');
    expect((await stage.stop(deaf, 5)).exitCode).toBe(137);
    const slow = await stage.startScript('run; sigterm=4 after=3s');
    const before = stage.clock.now();
    expect((await stage.stop(slow, 30)).exitCode).toBe(4);
    expect(stage.clock.now() - before).toBeLessThan(4000);
  });

  it('answers probes, for a while', async () => {
    const stage = new Stage();
    const id = await stage.startScript('run; exec="cat /tmp/ok" exit=1 until=10s; exec=* stdout="fine" delay=2s; listen=8080 body="up" until=20s');
    expect(await stage.exec(id, ['cat', '/tmp/ok'])).toMatchObject({ code: 1 });
    await stage.clock.advance(10_000);
    expect(await stage.exec(id, ['cat', '/tmp/ok'])).toMatchObject({ code: 0, stdout: 'fine' });
    await expect(stage.exec(id, ['anything'], 1)).rejects.toMatchObject({ code: 'DeadlineExceeded' });
    const url = 'http://10.244.0.2:8080/healthz';
    expect(await stage.drive(stage.simulator.network.get({ url, headers: {} }))).toEqual({ status: 200, body: 'up' });
    await stage.clock.advance(20_000);
    expect(await stage.drive(stage.simulator.network.get({ url, headers: {} }))).toMatchObject({ status: 500 });
  });

  it('may leave its life to the command and only answer beside it', async () => {
    const stage = new Stage();
    const id = await stage.startScript('exec="check" exit=7; memory=100Mi after=1s', { command: ['sleep', '60'] });
    await stage.clock.advance(2000);
    expect((await stage.exec(id, ['check'])).code).toBe(7);
    const { stats } = await stage.driven.runtime.containerStats(stage.ctx, { containerId: id });
    expect(stats.memory?.workingSetBytes?.value).toBe(100 * 1024 ** 2);
    expect((await stage.exited(id)).exitCode).toBe(0);
  });

  it('can fail to start', async () => {
    const stage = new Stage();
    await expect(stage.startScript('start-error="no space left on device" code=128')).rejects.toThrow(
      /OCI runtime create failed: runc create failed: no space left on device$/,
    );
  });

  it('comes from the options too', async () => {
    const stage = new Stage({ scripts: { 'pod-1/app': 'exit=9' } });
    expect((await stage.exited(await stage.start())).exitCode).toBe(9);
  });

  it('belongs to no container by the name of what every object has', async () => {
    const stage = new Stage({ scripts: { 'pod-1/app': 'exit=9' } });
    const id = await stage.start({ ...sh('exit 3'), metadata: { name: 'constructor', attempt: 0 } });
    expect((await stage.exited(id)).exitCode).toBe(3);
  });

  it('is refused, naming the clause, when it can not be read', async () => {
    const stage = new Stage();
    await expect(stage.startScript('exit=1 after=soon')).rejects.toMatchObject({
      code: 'InvalidArgument',
      message: 'script of container "app" (annotation sim.podscope.dev/app): clause "exit=1 after=soon": after=soon is not a duration such as 5s or 5s~2s',
    });
    await expect(stage.startScript('explode')).rejects.toThrow(/"explode" is no clause; known are exit, oom/);
    await expect(stage.startScript('exit=1 stdout=x')).rejects.toThrow('"stdout" means nothing beside "exit"');
    await expect(stage.startScript('exit=1 "loose"')).rejects.toThrow("can't read");
  });
});
