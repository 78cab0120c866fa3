import { describe, expect, it } from 'vitest';
import { TestRuntime } from '../testing/test-runtime.ts';

/** Runs containers from the Kubernetes documentation. They must behave as on a cluster. */
describe('an example of the Kubernetes documentation', () => {
  const mebi = 1024 ** 2;

  it('counter: logs one line per second', async () => {
    const test = new TestRuntime();
    const id = await test.start({
      args: ['/bin/sh', '-c', 'i=0; while true; do echo "$i: $(date)"; i=$((i+1)); sleep 1; done'],
    });
    await test.clock.advance(3000);
    expect(await test.lines(id)).toEqual([
      expect.stringMatching(/^0: Thu Jan {2}1 00:00:00 UTC 2026$/),
      expect.stringMatching(/^1: Thu Jan {2}1 00:00:01 UTC 2026$/),
      expect.stringMatching(/^2: /),
    ]);
  });

  it('init container: waits until the service resolves', async () => {
    const test = new TestRuntime();
    await test.hostFiles.writeFile('/secrets/namespace', 'default');
    const script =
      'until nslookup myservice.$(cat /var/run/secrets/kubernetes.io/serviceaccount/namespace).svc.cluster.local; do echo waiting for myservice; sleep 2; done';
    const id = await test.start({
      command: ['sh', '-c', script],
      mounts: [{ containerPath: '/var/run/secrets/kubernetes.io/serviceaccount', hostPath: '/secrets' }],
    });
    await test.clock.advance(5000);
    const lines = await test.lines(id);
    expect(lines.slice(0, 3)).toEqual([
      "** server can't find myservice.default.svc.cluster.local: NXDOMAIN",
      '',
      'waiting for myservice',
    ]);
    expect((await test.status(id)).state).toBe('CONTAINER_RUNNING');
  });

  it('liveness-http: answers with 200 for ten seconds', async () => {
    const test = new TestRuntime();
    await test.startImage('registry.k8s.io/e2e-test-images/agnhost:2.40', { args: ['liveness'] });
    const probe = async (): Promise<number> =>
      (
        await test.drive(
          test.simulator.network.get({ url: 'http://10.244.0.2:8080/healthz', headers: {}, timeoutMs: 1000 }),
        )
      ).status;
    await test.clock.advance(3000);
    expect(await probe()).toBe(200);
    await test.clock.advance(10_000);
    expect(await probe()).toBe(500);
  });

  it('memory-demo: runs within its limit; memory-demo-2: is OOMKilled', async () => {
    const test = new TestRuntime();
    const stress = (bytes: string, limit: number) =>
      test.startImage('polinux/stress', {
        command: ['stress'],
        args: ['--vm', '1', '--vm-bytes', bytes, '--vm-hang', '1'],
        linux: { resources: { memoryLimitInBytes: limit * mebi } },
      });
    const within = await stress('150M', 200);
    const beyond = await stress('250M', 100);
    expect(await test.exited(beyond)).toMatchObject({ exitCode: 137, reason: 'OOMKilled' });
    await test.clock.advance(60_000);
    expect((await test.status(within)).state).toBe('CONTAINER_RUNNING');
  });

  it('pi: logs its digits and completes', async () => {
    const test = new TestRuntime();
    const id = await test.startImage('perl:5.34.0', { command: ['perl', '-Mbignum=bpi', '-wle', 'print bpi(2000)'] });
    expect(await test.exited(id)).toMatchObject({ exitCode: 0, reason: 'Completed' });
    expect((await test.lines(id))[0]).toMatch(/^3\.14159265358979/);
  });

  it('lifecycle-demo: writes a message in postStart and quits gracefully in preStop', async () => {
    const test = new TestRuntime();
    const id = await test.startImage('nginx');
    await test.clock.advance(500);
    const postStart = await test.exec(id, [
      '/bin/sh',
      '-c',
      'echo Hello from the postStart handler > /usr/share/message',
    ]);
    expect(postStart.code).toBe(0);
    expect((await test.exec(id, ['cat', '/usr/share/message'])).stdout).toBe('Hello from the postStart handler\n');
    await test.exec(id, ['/bin/sh', '-c', 'nginx -s quit; while killall -0 nginx; do sleep 1; done']);
    expect(await test.status(id)).toMatchObject({ state: 'CONTAINER_EXITED', exitCode: 0, reason: 'Completed' });
  });

  it('command-demo: prints the values of its arguments', async () => {
    const test = new TestRuntime();
    const id = await test.startImage('debian', {
      command: ['printenv'],
      args: ['HOSTNAME', 'KUBERNETES_PORT'],
      envs: [{ key: 'KUBERNETES_PORT', value: 'tcp://10.3.240.1:443' }],
    });
    await test.exited(id);
    expect(await test.lines(id)).toEqual(['pod-1', 'tcp://10.3.240.1:443']);
  });

  it('script from a config map: runs with its variables and exits with 0', async () => {
    const test = new TestRuntime();
    await test.hostFiles.writeFile('/config/run.sh', '#!/bin/sh\nset -e\necho "level=$LEVEL"\nexec sleep 2\n');
    const id = await test.start({
      command: ['/scripts/run.sh'],
      envs: [{ key: 'LEVEL', value: 'info' }],
      mounts: [{ containerPath: '/scripts', hostPath: '/config', readonly: true }],
    });
    expect((await test.exited(id)).exitCode).toBe(0);
    expect(await test.lines(id)).toEqual(['level=info']);
  });

  it('read-only root file system: rejects writes except to a volume', async () => {
    const test = new TestRuntime();
    await test.hostFiles.mkdirAll('/volume');
    const id = await test.start({
      command: ['sh', '-c', 'touch /file || echo refused; touch /data/file && echo written'],
      mounts: [{ containerPath: '/data', hostPath: '/volume' }],
      linux: { securityContext: { readonlyRootfs: true } },
    });
    await test.exited(id);
    expect(await test.lines(id)).toEqual(['touch: /file: Read-only file system', 'refused', 'written']);
  });

  it('unknown image: runs any program until it is stopped', async () => {
    const test = new TestRuntime();
    const id = await test.startImage('ghcr.io/acme/shop:v2', { command: ['/app/server', '--port=80'] });
    await test.clock.advance(60_000);
    expect((await test.stop(id, 30)).exitCode).toBe(0);
    const missing = await test.create({ image: { image: 'ghcr.io/acme/shop:v2' }, command: ['/app/does-not-exist'] });
    await expect(test.driven.runtime.startContainer(test.ctx, { containerId: missing })).rejects.toThrow(
      'no such file or directory',
    );
  });
});
